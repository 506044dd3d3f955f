import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasOpenCalls, SilentPlaceError, whileAnswering } from "./file-calls.ts";

test("a call that does not return is given up, and known to be open until it does", { timeout: 20_000 }, async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await expect(whileAnswering("/mnt/backups", promise, { waitMs: 20 })).rejects.toThrow(
    "/mnt/backups has not answered for 0.02 seconds: it may be on a network share that is away",
  );
  expect(hasOpenCalls()).toBe(true);
  resolve();
  await expect.poll(hasOpenCalls, { timeout: 15_000 }).toBe(false); // those of the other tests too
});

test("one that returns, or fails, does so as without a limit", async () => {
  expect(await whileAnswering("/mnt/backups", delay(10, 7), { waitMs: 60_000 })).toBe(7);
  await expect(whileAnswering("/mnt/backups", Promise.reject(new Error("ENOSPC")))).rejects.toThrow("ENOSPC");
});

test("at the signal it may still end, and is given up soon after", { timeout: 20_000 }, async () => {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = whileAnswering("/mnt/backups", promise, { signal: stop.signal });
  const slow = whileAnswering("/mnt/backups", delay(100, "written"), { signal: stop.signal });
  stop.abort();
  expect(await slow).toBe("written");
  await expect(silent).rejects.toThrow(SilentPlaceError);
  resolve();
});
