import fc from "fast-check";
import { expect, test } from "vitest";
import { areaPath, labelWidths, linePath, scaleOf, stackBars, ticksOf } from "./chart-scale.ts";

test("bars stand on one another, upward and downward apart", () => {
  expect(
    stackBars([
      [3, null],
      [2, -1],
      [0, -4],
      [-5, 7],
    ]),
  ).toEqual([
    [{ point: 0, from: 0, to: 3 }],
    [
      { point: 0, from: 3, to: 5 },
      { point: 1, from: 0, to: -1 },
    ],
    [{ point: 1, from: -1, to: -5 }],
    [
      { point: 0, from: 0, to: -5 },
      { point: 1, from: 0, to: 7 },
    ],
  ]);
});

test("ticks are round", () => {
  expect(ticksOf([12_345], 4)).toEqual([0, 5_000, 10_000, 15_000]);
  expect(ticksOf([900, -180], 4)).toEqual([-500, 0, 500, 1_000]);
  expect(ticksOf([3], 4)).toEqual([0, 1, 2, 3]);
  expect(ticksOf([-0], 4)).toEqual([0, 1]);
  expect(ticksOf([], 4)).toEqual([0, 1]);
});

test("ticks hold every value and 0 between them, in even whole steps, and are few", () => {
  const values = fc.array(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 6 }), (each, steps) => {
      const ticks = ticksOf(each, steps);
      const [low = Number.NaN, high = Number.NaN] = [ticks[0], ticks.at(-1)];
      expect(low).toBeLessThanOrEqual(Math.min(0, ...each));
      expect(high).toBeGreaterThanOrEqual(Math.max(0, ...each));
      expect(ticks.filter((tick) => !Number.isSafeInteger(tick))).toEqual([]);
      const gaps = new Set(ticks.slice(1).map((tick, place) => tick - (ticks[place] ?? Number.NaN)));
      expect(gaps.size).toBe(1);
      expect(ticks.length).toBeLessThanOrEqual(steps + 3);
    }),
  );
});

test("a line is broken where there is no value, and an area goes down to 0", () => {
  const scale = scaleOf([0, 10]);
  expect(linePath([10, null, 5, 0], scale)).toBe("M0.5 0M2.5 0.5L3.5 1");
  expect(areaPath([10, 5], scale)).toBe("M0.5 0L1.5 0.5V1H0.5Z");
  expect([linePath([], scale), areaPath([], scale)]).toEqual(["", ""]);
});

test("a label is shown where there is room", () => {
  const shownIn = (width: string, points: number) =>
    Array.from({ length: points }, (_, point) => point).filter((point) =>
      labelWidths(point, points).split(" ").includes(width),
    );
  expect(shownIn("wide", 30)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
  expect(shownIn("narrow", 30)).toEqual([0, 8, 16, 24]);
  expect(shownIn("wide", 12)).toHaveLength(12);
  expect(shownIn("tiny", 12)).toEqual([0, 4, 8]);
  expect(shownIn("tiny", 1)).toEqual([0]);
});
