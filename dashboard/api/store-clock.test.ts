import { expect, test } from "vitest";
import { noteStoreTime, onStoreTime, storeNow } from "./store-clock.ts";

const HOUR_MS = 3_600_000;
const answerOf = (ms: number) => new Headers({ "x-pointkeeper-now": new Date(ms).toISOString() });
/** How far the service's clock seems to be ahead, in hours. */
const ahead = () => Math.round(((storeNow() - Date.now()) / HOUR_MS) * 100) / 100;

test("the time is the service's from its first answer on, and follows a sandbox clock that is set", () => {
  let changes = 0;
  const end = onStoreTime(() => changes++);
  expect(ahead()).toBe(0);
  noteStoreTime(answerOf(Date.now() - 2 * HOUR_MS));
  expect(ahead()).toBe(-2);
  noteStoreTime(answerOf(Date.now() - 2 * HOUR_MS + 1_000)); // an answer that came faster
  noteStoreTime(new Headers()); // of a proxy
  noteStoreTime(new Headers({ "x-pointkeeper-now": "soon" }));
  expect(changes).toBe(1);
  noteStoreTime(answerOf(Date.now() + 720 * HOUR_MS));
  expect([ahead(), changes]).toEqual([720, 2]);
  end();
  noteStoreTime(answerOf(Date.now()));
  expect([ahead(), changes]).toEqual([0, 2]);
});
