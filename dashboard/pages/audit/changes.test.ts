import fc from "fast-check";
import { expect, test } from "vitest";
import { changesOf } from "./changes.ts";

test("fields that differ, by their paths", () => {
  const before = { role: "viewer", earning: { rate: { point_value: 1, currency_value: 100 }, tags: ["a"] }, gone: 1 };
  const after = { role: "owner", earning: { rate: { point_value: 2, currency_value: 100 }, tags: ["a", "b"] } };
  expect(changesOf(before, after)).toEqual([
    { field: "role", before: "viewer", after: "owner" },
    { field: "earning.rate.point_value", before: 1, after: 2 },
    { field: "earning.tags", before: ["a"], after: ["a", "b"] },
    { field: "gone", before: 1, after: undefined },
  ]);
});

test("what is new is shown by its fields", () => {
  expect(changesOf(null, { a: { b: null }, c: {} })).toEqual([
    { field: "a.b", before: undefined, after: null },
    { field: "c", before: undefined, after: {} },
  ]);
});

test("what is the same has no changes, and both ways have the same fields", () => {
  const fields = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue());
  fc.assert(
    fc.property(fields, fields, (a, b) => {
      expect(changesOf(a, a)).toEqual([]);
      const one = changesOf(a, b).map((change) => change.field);
      const other = changesOf(b, a).map((change) => change.field);
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
    .map(([name, field]) => [name, sorted(field)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
