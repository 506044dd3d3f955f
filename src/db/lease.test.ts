import { expect, test } from "vitest";
import { whileLeased } from "./lease.ts";

/** Resolves when the signal aborts. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Work that lasts until its lease was renewed three times. */
async function renewThrice(onRenew: () => void): Promise<string> {
  const third = Promise.withResolvers<void>();
  let renewals = 0;
  const renew = async () => {
    onRenew();
    if (++renewals === 3) third.resolve();
    return true;
  };
  const work = () => third.promise.then(() => "done");
  return whileLeased({ leaseMs: 4, renew, onError: expect.unreachable }, work);
}

test("a lease is renewed while the work goes on, and no more when it ended", async () => {
  let isOver = false;
  expect(await renewThrice(() => expect(isOver).toBe(false))).toBe("done");
  isOver = true;
  expect(await renewThrice(() => {})).toBe("done"); // time enough for the first to be renewed again
});

test("work whose lease was lost is told so", async () => {
  const renewals = [true, true, false];
  const renew = async () => renewals.shift() ?? false;
  const work = async (signal: AbortSignal) => {
    await aborted(signal);
    return "stopped";
  };
  expect(await whileLeased({ leaseMs: 4, renew, onError: expect.unreachable }, work)).toBe("stopped");
  expect(renewals).toEqual([]);
});

test("a renewal that failed is reported, and the work goes on", async () => {
  const outage = new Error("no connection");
  const reported = Promise.withResolvers<unknown>();
  const renew = () => Promise.reject(outage);
  const work = async (signal: AbortSignal) => [await reported.promise, signal.aborted];
  expect(await whileLeased({ leaseMs: 4, renew, onError: reported.resolve }, work)).toEqual([outage, false]);
});

test("work ends with the signal from outside, and its error is passed on", async () => {
  const outside = new AbortController();
  const renewal = { leaseMs: 60_000, renew: async () => true, onError: expect.unreachable, signal: outside.signal };
  const work = async (signal: AbortSignal) => {
    await aborted(signal);
    throw new Error("ended from outside");
  };
  const result = whileLeased(renewal, work);
  outside.abort();
  await expect(result).rejects.toThrow("ended from outside");
});
