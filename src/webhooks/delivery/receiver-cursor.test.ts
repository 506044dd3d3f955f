import fc from "fast-check";
import { expect, test } from "vitest";
import type { StreamPlace } from "../event-batch.ts";
import { beginBatch, cursorAfter, openCursor, type StoredCursor, settlePlaces } from "./receiver-cursor.ts";

const START: StoredCursor = { position: 10n, settled: [] };
const uidOf = (position: bigint) => `batch ${position}`;
const placeOf = (position: bigint, n: number): StreamPlace => ({ position, batchUid: uidOf(position), n });

/** A cursor behind which batches of these counts of events were read. */
function reading(counts: readonly number[], stored: StoredCursor = START, from = START.position) {
  const cursor = openCursor(stored);
  const waiting: StreamPlace[] = [];
  counts.forEach((count, i) => {
    const position = from + 1n + BigInt(i);
    if (position <= stored.position) return;
    const settled = beginBatch(cursor, { position, uid: uidOf(position), count, settled: 0n });
    for (let n = 0; n < count; n++) if (((settled >> BigInt(n)) & 1n) === 0n) waiting.push(placeOf(position, n));
  });
  return { cursor, waiting };
}

test("a cursor passes a batch when all of it and all before it is settled", () => {
  const { cursor } = reading([2, 1, 3]);
  expect(cursorAfter(cursor, [placeOf(12n, 0)])).toMatchObject({ position: 10n, settled: [0n, 1n] });
  settlePlaces(cursor, [placeOf(12n, 0), placeOf(11n, 1)]);
  expect(cursorAfter(cursor, [])).toMatchObject({ position: 10n, settled: [2n, 1n] });
  expect(cursorAfter(cursor, [placeOf(11n, 0), placeOf(13n, 2)])).toEqual({
    position: 12n,
    settled: [4n],
    positions: [11n, 12n, 13n],
    uids: [11n, 12n, 13n].map(uidOf),
  });
});

test("events that go to nobody are settled from the start", () => {
  const cursor = openCursor(START);
  expect(beginBatch(cursor, { position: 11n, uid: uidOf(11n), count: 3, settled: 5n })).toBe(5n);
  expect(cursorAfter(cursor, [placeOf(11n, 1)])).toMatchObject({ position: 11n, settled: [] });
});

test("a batch of sixty events has all its bits, and a gap in the positions stops nobody", () => {
  const cursor = openCursor(START);
  beginBatch(cursor, { position: 15n, uid: uidOf(15n), count: 60, settled: 0n });
  const all = Array.from({ length: 60 }, (_, n) => placeOf(15n, n));
  expect(cursorAfter(cursor, all.slice(1)).settled.at(-1)).toBe(2n ** 60n - 2n);
  expect(cursorAfter(cursor, all)).toMatchObject({ position: 15n, settled: [] });
});

test("whenever a worker dies, the next one reads what was not stored as settled, all of it and nothing else", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 });
  const steps = fc.array(fc.record({ picks: fc.array(fc.nat(), { maxLength: 6 }), dies: fc.boolean() }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(counts, steps, (sizes, history) => {
      let stored: StoredCursor = START;
      let { cursor, waiting } = reading(sizes);
      const settled = new Set<string>();
      for (const { picks, dies } of history) {
        const chosen = [...new Set(picks.map((pick) => waiting[pick % Math.max(1, waiting.length)]))].filter(
          (place) => place !== undefined,
        );
        stored = cursorAfter(cursor, chosen);
        settlePlaces(cursor, chosen);
        for (const { position, n } of chosen) settled.add(`${position}/${n}`);
        waiting = waiting.filter((place) => !chosen.includes(place));
        expect(cursorAfter(cursor, [])).toMatchObject({ position: stored.position, settled: stored.settled });
        if (dies) ({ cursor, waiting } = reading(sizes, stored));
        const left = waiting.map(({ position, n }) => `${position}/${n}`);
        const all = sizes.flatMap((size, i) => Array.from({ length: size }, (_, n) => `${11n + BigInt(i)}/${n}`));
        expect(left.sort()).toEqual(all.filter((place) => !settled.has(place)).sort());
      }
    }),
  );
});

test("a worker that has read only a part of what the one before settled keeps the rest", () => {
  const { cursor, waiting } = reading([2, 2, 2, 2]);
  const before = waiting.filter(({ n }) => n === 1);
  const next = reading([2, 2], cursorAfter(cursor, before));
  const stored = cursorAfter(next.cursor, next.waiting.slice(0, 1));
  expect(stored).toMatchObject({ position: 11n, settled: [2n, 2n, 2n] });
  expect(reading([2, 2, 2, 2], stored).waiting).toEqual([12n, 13n, 14n].map((position) => placeOf(position, 0)));
});
