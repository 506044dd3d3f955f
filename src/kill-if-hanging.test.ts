import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { noteCall } from "./file-calls.ts";
import { killIfHanging } from "./kill-if-hanging.ts";

const PATIENCE_MS = 200;

/** What is said, and how often the process would have been killed. */
function watch() {
  const seen: { readonly says: string[]; kills: number } = { says: [], kills: 0 };
  const ended = killIfHanging(
    (says) => void seen.says.push(says),
    PATIENCE_MS,
    () => {
      seen.kills += 1; // the system ignores it where the process is the first of a container
    },
  );
  return { seen, ended };
}

test("a process that waits for a folder says so once and is killed once, also where it outlives that", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  noteCall(promise);
  const { seen, ended } = watch();
  await delay(3 * PATIENCE_MS);
  expect(seen).toEqual({ says: [expect.stringContaining("it kills itself")], kills: 1 });
  resolve();
  await ended;
});

test("one whose calls return, each soon, is not killed", async () => {
  const stop = new AbortController();
  const calling = (async () => {
    while (!stop.signal.aborted) await noteCall(delay(PATIENCE_MS / 10));
  })();
  const { seen, ended } = watch();
  await ended;
  expect(seen).toEqual({ says: [], kills: 0 });
  stop.abort();
  await calling;
});
