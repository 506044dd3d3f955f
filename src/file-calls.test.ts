import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { hasOpenCalls, knownSilence, SilentPlaceError, whileAnswering } from "./file-calls.ts";

test("a call that does not return is given up, and known to be open until it does", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await expect(whileAnswering("/mnt/backups", () => promise, { waitMs: 20 })).rejects.toThrow(
    "/mnt/backups has not answered for 0.02 seconds: it may be on a network share that is away",
  );
  expect(hasOpenCalls()).toBe(true);
  expect(knownSilence("/mnt/backups")).not.toBe(null);
  resolve();
  await expect.poll(() => knownSilence("/mnt/backups")).toBe(null); // other files of tests may have open calls elsewhere
});

test("one that returns, or fails, does so as without a limit", async () => {
  expect(await whileAnswering("/mnt/backups", () => delay(10, 7), { waitMs: 60_000 })).toBe(7);
  const full = () => Promise.reject(new Error("ENOSPC"));
  await expect(whileAnswering("/mnt/backups", full)).rejects.toThrow("ENOSPC");
});

test("at the signal it may still end, and is given up soon after", async () => {
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const silent = whileAnswering("/mnt/backups", () => promise, { signal: stop.signal });
  const slow = whileAnswering("/mnt/backups", () => delay(100, "written"), { signal: stop.signal });
  stop.abort();
  expect(await slow).toBe("written");
  await expect(silent).rejects.toThrow(SilentPlaceError);
  resolve();
});

test("while a call that was given up has not returned, no other is begun beside it, above it or below it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const begin = () => {
    begun += 1;
    return promise;
  };
  const says = "/srv/backups/one has not answered for 0.02 seconds";
  const limits = { waitMs: 20, folder: "/srv/backups" };
  await expect(whileAnswering("/srv/backups/one", begin, limits)).rejects.toThrow(says);
  for (const place of ["/srv/backups/one", "/srv/backups/two", "/srv/backups/log/7", "/srv/backups", "/srv"])
    await expect(whileAnswering(place, begin)).rejects.toThrow(says);
  expect(begun).toBe(1);
  expect(await whileAnswering("/srv/backups-elsewhere", async () => 7)).toBe(7);
  resolve();
  await promise;
  expect(await whileAnswering("/srv/backups/two", async () => 8)).toBe(8);
});

test("a call that advances has its time again, and ends at its next piece once it was given up", async () => {
  let pieces = 0;
  const write = async (advances: () => void) => {
    for (let n = 0; n < 6; n++) {
      await delay(60);
      advances();
      pieces += 1;
    }
  };
  await whileAnswering("/srv/reports", write, { waitMs: 200 });
  expect(pieces).toBe(6);
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = async (advances: () => void) => {
    await promise;
    advances();
    pieces += 1;
  };
  await expect(whileAnswering("/srv/reports", late, { waitMs: 20 })).rejects.toThrow(SilentPlaceError);
  resolve();
  await delay(20);
  expect(pieces).toBe(6);
});
