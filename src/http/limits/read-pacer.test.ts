import { expect, test } from "vitest";
import { createReadPacer } from "./read-pacer.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a turn has enough after its bytes, and the next one begins anew", async () => {
  const pacer = createReadPacer(100);
  expect(pacer.isEnough(60)).toBe(false);
  expect(pacer.isEnough(60)).toBe(true);
  await nextTurn();
  expect(pacer.isEnough(60)).toBe(false);
});

test("of those that wait two go on at each turn, the oldest first, whatever the order in which they stopped", async () => {
  const pacer = createReadPacer(1);
  const places = [pacer.place(), pacer.place(), pacer.place(), pacer.place(), pacer.place()];
  const resumed: number[] = [];
  for (const place of [...places].reverse()) pacer.wait(place, () => resumed.push(places.indexOf(place)));
  expect(resumed).toEqual([]);
  await nextTurn();
  expect(resumed).toEqual([0, 1]);
  pacer.wait(places[0] ?? 0, () => resumed.push(0)); // the oldest has more to read: it goes before the third
  await nextTurn();
  expect(resumed).toEqual([0, 1, 0, 2]);
  await nextTurn();
  expect(resumed).toEqual([0, 1, 0, 2, 3, 4]);
});

test("one that waits and never reads again holds up nothing", async () => {
  const pacer = createReadPacer(1);
  pacer.wait(pacer.place(), () => undefined);
  await nextTurn();
  let isResumed = false;
  pacer.wait(pacer.place(), () => {
    isResumed = true;
  });
  await nextTurn();
  expect(isResumed).toBe(true);
});
