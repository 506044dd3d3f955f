import fc from "fast-check";
import { expect, test } from "vitest";
import { type ArchivedFile, logFrom, segmentNumber, segmentSuffix } from "./log-archive.ts";

const segment = (timeline: number, number: number): string =>
  [timeline, Math.floor(number / 256), number % 256]
    .map((part) => part.toString(16).toUpperCase().padStart(8, "0"))
    .join("");
const files = (...names: string[]): ArchivedFile[] => names.map((name) => ({ name, digest: "", path: name }));
const namesOf = ({ files: found }: ReturnType<typeof logFrom>) => found.map(({ name }) => name);

test("a segment's place counts on behind the last of a log", () => {
  expect(segmentNumber(segment(1, 255)) + 1n).toBe(segmentNumber(segment(1, 256)));
  expect(segmentNumber("0000000100000002000000FF")).toBe(767n);
});

test("all from the first segment is replayed where nothing is missing, whatever stands before it", () => {
  fc.assert(
    fc.property(
      fc.nat(2_000),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 5 }),
      (first, count, older) => {
        const later = Array.from({ length: count }, (_, n) => segment(1, first + n));
        const before = Array.from({ length: older }, (_, n) => segment(1, Math.max(0, first - 2 * n - 2)));
        const found = logFrom(files(...before.filter((name) => !later.includes(name)), ...later), segment(1, first));
        expect([namesOf(found), found.gapAt]).toEqual([later, null]);
      },
    ),
  );
});

test("what follows a missing segment is not replayed, and the gap is said", () => {
  const all = [10, 11, 13, 14].map((number) => segment(1, number));
  const found = logFrom(files(...all), segment(1, 10));
  expect([namesOf(found), found.gapAt]).toEqual([all.slice(0, 2), 12n]);
});

test("a segment that is missing right after those of the backup is a gap too", () => {
  const later = [12, 13].map((number) => segment(1, number));
  const found = logFrom(files(...later), segment(1, 10));
  expect([namesOf(found), found.gapAt]).toEqual([[], 11n]);
  const contained = [10, 11].map((number) => segment(1, number));
  const whole = logFrom(files(...later), segment(1, 10), [...contained, "archive_status"]);
  expect([namesOf(whole), whole.gapAt]).toEqual([later, null]);
  expect(logFrom([], segment(1, 10), contained)).toEqual({ files: [], gapAt: null });
});

test("a segment that only an abandoned timeline has does not hide one that is missing on the newest", () => {
  const all = [
    segment(1, 5),
    segment(1, 6),
    segment(1, 7),
    segment(1, 8),
    "00000002.history",
    segment(2, 6),
    segment(2, 8),
  ];
  const found = logFrom(files(...all), segment(1, 5));
  expect(found.gapAt).toBe(7n);
  expect(namesOf(found)).toEqual([segment(1, 5), segment(1, 6), "00000002.history", segment(2, 6)]);
  const whole = logFrom(files(...all, segment(2, 7)), segment(1, 5));
  expect(whole.gapAt).toBeNull();
});

test("a position names the segments there, of any timeline", () => {
  for (const name of ["000000010000000000000013", "0000000A00000002000000FF", "000000020000000100000000"])
    expect(name.slice(8)).toBe(segmentSuffix(segmentNumber(name)));
});
