import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allOf,
  createBinder,
  FROM_TO,
  PAGE_ROWS,
  pageOf,
  pointsCursor,
  READ_ROWS,
  readAfter,
  readRange,
  timeCursor,
  timeNumberCursor,
  timeUuidCursor,
  uuidCursor,
} from "./list.ts";

const instants = fc
  .bigInt({ min: 0n, max: 250_000_000_000_000_000n })
  .map((micros) => Temporal.Instant.fromEpochNanoseconds(micros * 1_000n));

test("a cursor is read back as it was written, to the microsecond", () => {
  fc.assert(
    fc.property(instants, fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), (when, id) => {
      const read = timeNumberCursor.parse(timeNumberCursor.format({ at: when, id }));
      expect(read?.at.epochNanoseconds).toBe(when.epochNanoseconds);
      expect(read?.id).toBe(id);
    }),
  );
});

test("anything else is none", () => {
  for (const text of ["", "x", "2026-01-01T00:00:00.000000Z", "2026-99-01T00:00:00.000000Z_1", "2026-01-01_1"]) {
    expect(timeNumberCursor.parse(text)).toBeNull();
  }
});

test("a cursor by time or points is read back, and those of other lists are refused", () => {
  fc.assert(
    fc.property(instants, fc.uuid(), fc.bigInt({ min: 0n, max: 10n ** 16n - 1n }), (at, uid, points) => {
      const byTime = timeCursor.format({ at, id: "#1001" });
      const byUuid = timeUuidCursor.format({ at, id: uid });
      const byPoints = pointsCursor.format({ points, uid });
      expect(timeCursor.parse(byTime)?.at.equals(at)).toBe(true);
      expect(timeUuidCursor.parse(byUuid)?.id).toBe(uid);
      expect(pointsCursor.parse(byPoints)).toEqual({ points, uid });
      expect([timeUuidCursor.parse(byTime), pointsCursor.parse(byUuid), timeCursor.parse(byPoints)]).toEqual([
        null,
        null,
        null,
      ]);
      expect([uuidCursor.parse(uid), uuidCursor.parse(byUuid)]).toEqual([uid, null]);
    }),
  );
});

test("an `after` that is no position has a fault, and none is the first page", () => {
  expect(readAfter(undefined, uuidCursor)).toEqual({ position: null, faults: [] });
  const fault = { parameter: "after", detail: "expected a `next` of this list" };
  expect(readAfter("x", uuidCursor)).toEqual({ position: null, faults: [fault] });
});

test("a page has a next one exactly where more rows were read than it shows", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => n);
  expect(pageOf(rows(PAGE_ROWS), String)).toEqual({ rows: rows(PAGE_ROWS), next: null });
  expect(pageOf(rows(READ_ROWS), String)).toEqual({ rows: rows(PAGE_ROWS), next: String(PAGE_ROWS - 1) });
  expect(pageOf([], String)).toEqual({ rows: [], next: null });
});

test("a range is whole days of the store, and each end that cannot be read has a fault", () => {
  const day = readRange({ from: "2026-03-01", to: "2026-03-01" }, "Asia/Tokyo", FROM_TO);
  expect([String(day.from), String(day.to), day.faults]).toEqual(["2026-02-28T15:00:00Z", "2026-03-01T15:00:00Z", []]);
  const { faults } = readRange({ from: "x", to: "2026-02-30" }, "Asia/Tokyo", FROM_TO);
  expect(faults.map(({ parameter }) => parameter)).toEqual(["from", "to"]);
});

test("a statement has the conditions and parameters of the given filters alone", () => {
  const { params, bind, bindIf } = createBinder();
  const conditions = [bindIf(null, (n) => `a = ${n}`), bindIf(0, (n) => `b = ${n}`), bindIf("c", (n) => `c = ${n}`)];
  expect(allOf(conditions)).toBe("b = $1\n  and c = $2");
  expect([bind(9), params]).toEqual(["$3", [0, "c", 9]]);
  expect(allOf([null])).toBe("true");
});
