import type { Readable } from "node:stream";
import { Problem } from "../problems.ts";
import type { BodyBudget } from "./body-budget.ts";

const GIVEN_UP_RETRY_S = 2;

/** From here on a body that is announced is read into its place, and never there twice. */
const WHOLE_FROM_BYTES = 262_144;

export interface BodyBounds {
  readonly limit: number;
  readonly budget: BodyBudget;
  /** The length that a trusted sender announces; 0: none does. */
  readonly announced: number;
}

/**
 * Reads a body of at most `limit` bytes within a budget. Tells the bytes, or `body_too_large` (413), `unavailable` (503) where the budget
 * gave the body up, or the error of the connection (400), exactly once.
 */
export function readBytes(
  payload: Readable,
  { limit, budget, announced }: BodyBounds,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  const whole = announced > WHOLE_FROM_BYTES && announced <= limit ? Buffer.allocUnsafeSlow(announced) : null;
  let received = 0;
  const lease = budget.lease(() => finish(new Problem("unavailable", { retryAfterS: GIVEN_UP_RETRY_S })));
  payload.on("data", onData).on("end", onEnd).on("error", onError);
  payload.resume();

  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received > limit) {
      finish(new Problem("body_too_large"));
    } else {
      if (whole === null) chunks.push(chunk);
      else chunk.copy(whole, received - chunk.length);
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
    const bytes = error === null ? (whole?.subarray(0, received) ?? Buffer.concat(chunks, received)) : undefined;
    chunks.length = 0;
    done(error, bytes);
  }
}
