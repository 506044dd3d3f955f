import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { BackupTarget } from "./backup-target.ts";
import { heldTarget } from "./held-target.ts";

/** The shares answer at the end: an open call concerns all tests of the process. */
const answers: (() => void)[] = [];
afterAll(() => {
  for (const answer of answers) answer();
});

/** A target on a share that does not answer any more, and how often it is asked to remove what was written. */
function silentTarget(path: string) {
  const { promise: never, resolve } = Promise.withResolvers<void>();
  answers.push(resolve);
  const asked = { parts: 0, discards: 0 };
  const target: BackupTarget = {
    path,
    put(name) {
      asked.parts += 1;
      return name === "data/a" ? Promise.resolve() : never;
    },
    finish: () => never,
    async discard() {
      asked.discards += 1;
    },
  };
  return { target, asked };
}

const BYTES = Buffer.from("bytes");

test("a backup in a folder that stops answering fails, and does not wait for what it wrote to be removed", async () => {
  const { target, asked } = silentTarget("/mnt/backups/one");
  const held = heldTarget(target, undefined, 20);
  await held.put("data/a", BYTES);
  await expect(held.put("data/b", BYTES)).rejects.toThrow(
    "/mnt/backups/one has not answered for 0.02 seconds: it may be on a network share that is away.",
  );
  await held.discard();
  expect(asked).toEqual({ parts: 2, discards: 0 });
});

test("as long as the call has not returned, the next backups in that folder fail without one more", async () => {
  await expect(heldTarget(silentTarget("/mnt/again/one").target, undefined, 20).put("data/b", BYTES)).rejects.toThrow();
  for (const path of ["/mnt/again/two", "/mnt/again/three"]) {
    const { target, asked } = silentTarget(path);
    const held = heldTarget(target, undefined, 20);
    await expect(held.put("data/a", BYTES)).rejects.toThrow("/mnt/again/one has not answered for 0.02 seconds");
    await held.discard();
    expect(asked).toEqual({ parts: 0, discards: 0 });
  }
});

test("after a stop what was written is removed once the part in progress is there, on a slow share too", async () => {
  const stop = new AbortController();
  const done: string[] = [];
  const target: BackupTarget = {
    path: "/mnt/slow/one",
    put: () => delay(6_000).then(() => void done.push("part")),
    finish: async () => {},
    discard: async () => void done.push("removed"),
  };
  const held = heldTarget(target, stop.signal);
  const writing = held.put("data/a", BYTES);
  stop.abort();
  await expect(writing).rejects.toThrow("nobody waits for it any more");
  await held.discard();
  expect(done).toEqual(["part", "removed"]);
});

test("one that appears at its place fails too, and after another error what was written is removed", async () => {
  const { target, asked } = silentTarget("/mnt/others/one");
  await expect(heldTarget(target, undefined, 20).finish()).rejects.toThrow("has not answered");
  const other = silentTarget("/mnt/answering/one");
  await heldTarget(other.target, undefined).discard();
  expect([asked.discards, other.asked.discards]).toEqual([0, 1]);
});

test("nothing is written after the signal", async () => {
  const { target } = silentTarget("/mnt/ended/one");
  const stop = new AbortController();
  stop.abort();
  await expect(heldTarget(target, stop.signal).put("data/a", BYTES)).rejects.toThrow("ended early");
});
