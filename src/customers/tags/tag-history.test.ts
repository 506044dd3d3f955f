import fc from "fast-check";
import { expect, test } from "vitest";
import { firstDifference, idleStatements, type TagStatement, tagsAt } from "./tag-history.ts";

const START = Temporal.Instant.from("2026-01-01T00:00:00Z");
const hour = (n: number) => START.add({ hours: n });
const set = (n: number, ...tags: string[]): TagStatement => ({ at: hour(n), tags, added: [], removed: [] });
const delta = (n: number, added: string[], removed: string[] = []): TagStatement => ({
  ...{ at: hour(n), tags: null },
  ...{ added, removed },
});

const statement = fc.record({
  at: fc.nat(40).map(hour),
  tags: fc.option(fc.subarray(["a", "b", "c"])),
  added: fc.subarray(["a", "b"]),
  removed: fc.subarray(["b", "c"]),
});
const statements = fc.array(statement, { maxLength: 12 });

test("the tags of a time hang on the statements, not on the order in which they came, nor on being told twice", () => {
  fc.assert(
    fc.property(statements, fc.infiniteStream(fc.nat()), fc.nat(45), (all, dice, n) => {
      const shuffled = [...all, ...all.slice(0, 3)]
        .map((one) => ({ one, key: dice.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ one }) => one);
      expect(tagsAt(shuffled, hour(n))).toEqual(tagsAt(all, hour(n)));
    }),
  );
});

test("what is said of a time changes nothing before it, where a whole set was known before", () => {
  fc.assert(
    fc.property(statements, statement, fc.nat(45), (all, late, n) => {
      const known = [set(-2, "a"), ...all];
      if (Temporal.Instant.compare(hour(n), late.at) >= 0) return;
      expect(tagsAt([...known, late], hour(n))).toEqual(tagsAt(known, hour(n)));
    }),
  );
});

test("the first difference is where the tags first differ", () => {
  fc.assert(
    fc.property(statements, statements, (one, other) => {
      const found = firstDifference(one, other);
      const instants = Array.from({ length: 100 }, (_, n) => START.add({ minutes: 30 * (n - 4) }));
      const differ = instants.filter((at) => tagsAt(one, at).join() !== tagsAt(other, at).join());
      if (found === null) expect(differ).toEqual([]);
      else {
        expect(tagsAt(one, found)).not.toEqual(tagsAt(other, found));
        expect(differ.every((at) => Temporal.Instant.compare(at, found) >= 0)).toBe(true);
      }
    }),
  );
});

test("before the first statement nothing is known but what was taken away; the first set counts a minute before it was said", () => {
  expect(tagsAt([set(1, "a")], hour(0))).toEqual([]);
  expect(tagsAt([set(1, "a")], hour(1).subtract({ seconds: 60 }))).toEqual(["a"]);
  expect(tagsAt([set(1, "a"), set(5, "b")], hour(5).subtract({ seconds: 1 }))).toEqual(["a"]);
  expect(tagsAt([delta(3, [], ["a"])], hour(0))).toEqual(["a"]);
  expect(tagsAt([delta(3, [], ["a"])], hour(3))).toEqual([]);
  expect(tagsAt([delta(2, ["a"]), delta(3, [], ["a"])], hour(0))).toEqual([]);
});

test("what is not kept said nothing; what is new, what changes and the first is kept", () => {
  const days = (n: number) => 24 * n;
  const all = [
    set(0, "a"),
    set(days(1), "a"),
    set(days(2), "b"),
    set(days(3), "b"),
    set(days(60), "b"),
    set(days(89), "b"),
  ];
  const idle = idleStatements(all);
  expect(idle).toEqual([set(days(1), "a"), set(days(3), "b")]);
  const kept = all.filter((one) => !idle.includes(one));
  for (let n = 0; n < 90; n++) expect(tagsAt(kept, hour(days(n)))).toEqual(tagsAt(all, hour(days(n))));
  expect(idleStatements(Array.from({ length: 1_003 }, (_, n) => set(n, String(n))))).toHaveLength(3);
});
