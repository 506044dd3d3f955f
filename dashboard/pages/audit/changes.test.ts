import fc from "fast-check";
import { expect, test } from "vitest";
import { changesOf } from "./changes.ts";

test("members that differ, by their paths", () => {
  const before = { role: "viewer", earning: { rate: { point_value: 1, currency_value: 100 }, tags: ["a"] }, gone: 1 };
  const after = { role: "owner", earning: { rate: { point_value: 2, currency_value: 100 }, tags: ["a", "b"] } };
  expect(changesOf(before, after)).toEqual([
    { member: "role", before: "viewer", after: "owner" },
    { member: "earning.rate.point_value", before: 1, after: 2 },
    { member: "earning.tags", before: ["a"], after: ["a", "b"] },
    { member: "gone", before: 1, after: undefined },
  ]);
});

test("what is new is told by its members", () => {
  expect(changesOf(null, { a: { b: null }, c: {} })).toEqual([
    { member: "a.b", before: undefined, after: null },
    { member: "c", before: undefined, after: {} },
  ]);
});

test("what is the same has no changes, and both ways have the same members", () => {
  const members = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue());
  fc.assert(
    fc.property(members, members, (a, b) => {
      expect(changesOf(a, a)).toEqual([]);
      const one = changesOf(a, b).map((change) => change.member);
      const other = changesOf(b, a).map((change) => change.member);
      expect(new Set(one)).toEqual(new Set(other));
      expect(changesOf(a, b).length > 0).toBe(!equal(a, b));
    }),
  );
});

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, sorted(member)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
