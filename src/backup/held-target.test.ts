import { expect, test } from "vitest";
import type { BackupTarget } from "./backup-target.ts";
import { heldTarget } from "./held-target.ts";

/** A target on a share that does not answer any more, and how often it is asked to remove what was written. */
function silentTarget(path: string) {
  const never = new Promise<void>(() => {});
  const asked = { discards: 0 };
  const target: BackupTarget = {
    path,
    put: (name) => (name === "data/a" ? Promise.resolve() : never),
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
  expect(asked.discards).toBe(0);
});

test("one that appears at its place fails too, and after another error what was written is removed", async () => {
  const { target, asked } = silentTarget("/mnt/backups/one");
  await expect(heldTarget(target, undefined, 20).finish()).rejects.toThrow("has not answered");
  await heldTarget(target, undefined).discard();
  expect(asked.discards).toBe(1);
});

test("nothing is written after the signal", async () => {
  const { target } = silentTarget("/mnt/backups/one");
  const stop = new AbortController();
  stop.abort();
  await expect(heldTarget(target, stop.signal).put("data/a", BYTES)).rejects.toThrow("ended early");
});
