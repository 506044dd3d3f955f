import { expect, test } from "vitest";
import { dropOld, type FreshBatches, keepWritten } from "./written-batch.ts";

const TOPIC = "point_balance/update";
const batch = (uid: string, topic: typeof TOPIC | "point_allotment/cascade" = TOPIC) => ({ uid, topic, events: [] });

test("a topic's batches are kept, of too many the latest", () => {
  const kept: FreshBatches = new Map();
  keepWritten(kept, TOPIC, [batch("a"), batch("b", "point_allotment/cascade")], 0);
  expect([...kept.keys()]).toEqual(["a"]);
  for (let n = 0; n < 200; n++) keepWritten(kept, TOPIC, [batch(String(n))], 1);
  expect(kept.size).toBe(128);
  expect([kept.has("71"), kept.has("72"), kept.has("199")]).toEqual([false, true, true]);
});

test("nothing is kept for longer than five seconds", () => {
  const kept: FreshBatches = new Map();
  keepWritten(kept, TOPIC, [batch("a")], 0);
  keepWritten(kept, TOPIC, [batch("b")], 3_000);
  dropOld(kept, 4_999);
  expect([...kept.keys()]).toEqual(["a", "b"]);
  dropOld(kept, 5_000);
  expect([...kept.keys()]).toEqual(["b"]);
  keepWritten(kept, TOPIC, [], 60_000);
  expect(kept.size).toBe(0);
});
