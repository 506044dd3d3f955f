import type { Readable } from "node:stream";
import { Problem } from "../problems.ts";
import type { BodyBudget } from "./body-budget.ts";

const GIVEN_UP_RETRY_S = 2;

/**
 * Reads a body of at most `limit` bytes within a budget. Tells the bytes, or `body_too_large` (413), `unavailable` (503) where the budget
 * gave the body up, or the error of the connection (400), exactly once.
 */
export function readBytes(
  payload: Readable,
  { limit, budget }: { readonly limit: number; readonly budget: BodyBudget },
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let received = 0;
  const lease = budget.lease(() => finish(new Problem("unavailable", { retryAfterS: GIVEN_UP_RETRY_S })));
  payload.on("data", onData).on("end", onEnd).on("error", onError);
  payload.resume();

  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received > limit) {
      finish(new Problem("body_too_large"));
    } else {
      chunks.push(chunk);
      lease.take(chunk.length);
    }
  }

  function onEnd(): void {
    finish(null);
  }

  function onError(error: Error): void {
    finish(Object.assign(error, { statusCode: 400 }));
  }

  function finish(error: Error | null): void {
    payload.off("data", onData).off("end", onEnd).off("error", onError);
    lease.release();
    const bytes = error === null ? Buffer.concat(chunks, received) : undefined;
    chunks.length = 0;
    done(error, bytes);
  }
}
