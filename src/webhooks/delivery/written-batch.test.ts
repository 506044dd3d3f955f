import { expect, test } from "vitest";
import { type BatchCache, cacheBatch, dropOldBatches, isForTopic } from "./written-batch.ts";

const TOPIC = "point_balance/update";
const batch = (uid: string, topic: typeof TOPIC | "point_allotment/cascade" = TOPIC) => ({ uid, topic, events: [] });

test("a topic's batches are cached; if there are too many, only the latest", () => {
  const cache: BatchCache = new Map();
  cacheBatch(cache, TOPIC, [batch("a"), batch("b", "point_allotment/cascade")], 0);
  expect([...cache.keys()]).toEqual(["a"]);
  for (let n = 0; n < 200; n++) cacheBatch(cache, TOPIC, [batch(String(n))], 1);
  expect(cache.size).toBe(128);
  expect([cache.has("71"), cache.has("72"), cache.has("199")]).toEqual([false, true, true]);
});

test("batches of other topics alone are nothing to read for", () => {
  const other = batch("a", "point_allotment/cascade");
  expect([isForTopic(TOPIC, [other]), isForTopic(TOPIC, [other, batch("b")]), isForTopic(TOPIC, [])]).toEqual([
    false,
    true,
    true,
  ]);
});

test("nothing is cached for longer than five seconds", () => {
  const cache: BatchCache = new Map();
  cacheBatch(cache, TOPIC, [batch("a")], 0);
  cacheBatch(cache, TOPIC, [batch("b")], 3_000);
  dropOldBatches(cache, 4_999);
  expect([...cache.keys()]).toEqual(["a", "b"]);
  dropOldBatches(cache, 5_000);
  expect([...cache.keys()]).toEqual(["b"]);
  cacheBatch(cache, TOPIC, [], 60_000);
  expect(cache.size).toBe(0);
});
