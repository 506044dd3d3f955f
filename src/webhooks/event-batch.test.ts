import { expect, test } from "vitest";
import { BATCH_EVENTS_MAX, bitOf, bitsByBatch, placesOf } from "./event-batch.ts";

test("events are placed in batches of one topic, in their order", () => {
  const events = Array.from({ length: 130 }, (_, n) => ({ topic: n % 2 === 0 ? "a" : "b", uid: `${n}` }));
  const places = placesOf(events);
  expect(places.slice(0, 4)).toEqual([
    { batchUid: "0", n: 0 },
    { batchUid: "1", n: 0 },
    { batchUid: "0", n: 1 },
    { batchUid: "1", n: 1 },
  ]);
  expect(places[118]).toEqual({ batchUid: "0", n: 59 });
  expect(places[120]).toEqual({ batchUid: "120", n: 0 });
});

test("every event of a batch has a bit of its own, and all fit a bigint of the database", () => {
  const all = Array.from({ length: BATCH_EVENTS_MAX }, (_, n) => ({ batchUid: "x", n }));
  expect(bitsByBatch(all)).toEqual({ uids: ["x"], bits: [2n ** 60n - 1n] });
  expect(
    bitsByBatch([
      { batchUid: "x", n: 3 },
      { batchUid: "y", n: 0 },
      { batchUid: "x", n: 0 },
    ]),
  ).toEqual({
    uids: ["x", "y"],
    bits: [9n, 1n],
  });
  expect(() => bitOf(BATCH_EVENTS_MAX)).toThrow(RangeError);
});
