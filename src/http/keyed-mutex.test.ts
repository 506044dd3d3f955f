import { createHook } from "node:async_hooks";
import { expect, test } from "vitest";
import { withKeyedMutex } from "./keyed-mutex.ts";

const MANY = 200;

test("work of one name runs one after the other, in the order of its requests; work of another name beside it", async () => {
  const first = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run = (name: string, label: string, until?: Promise<void>) =>
    withKeyedMutex(name, async () => {
      begun.push(label);
      await until;
      if (label === "b") throw new Error("a failure ends the turn as well");
      return label;
    });
  const all = [run("k", "a", first.promise), run("k", "b"), run("k", "c"), run("k", "d")];
  expect(await run("other", "x")).toBe("x");
  expect(begun).toEqual(["a", "x"]);
  first.resolve();
  const ended = await Promise.allSettled(all);
  expect(begun).toEqual(["a", "x", "b", "c", "d"]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await run("k", "e")).toBe("e");
});

test("the end of a work wakes one of many that wait, and not all of them", async () => {
  let timers = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "Timeout") timers++;
    },
  }).enable();
  const ran = await Promise.all(Array.from({ length: MANY }, (_, n) => withKeyedMutex("k", async () => n)));
  hook.disable();
  expect(ran).toHaveLength(MANY);
  expect(timers).toBeLessThan(2 * MANY); // one for each: woken together, all would wait again with a new one each time
});
