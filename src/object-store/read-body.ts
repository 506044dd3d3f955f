import { requestFailure } from "../request-failure.ts";
import { TooLongError } from "./object-store-error.ts";

/** How slowly a body may arrive, or be sent: at least so many bytes, or its end, within each step. */
export interface BodyPace {
  readonly stepMs: number;
  readonly stepBytes: number;
}

/** 17 kB a second: a part of 16 MB may take a quarter of an hour, one below 2 MB and a body that never ends two minutes. */
export const BODY_PACE: BodyPace = { stepMs: 120_000, stepBytes: 2 * 2 ** 20 };

/** A body that ended early, or arrived too slowly. */
export class BrokenBodyError extends Error {
  override readonly name = "BrokenBodyError";
  /** How much had arrived. */
  readonly bytes: number;

  constructor(what: "an answer" | "a request", bytes: number, reason: string) {
    super(`${what} broke off after ${bytes} bytes: ${reason}`);
    this.bytes = bytes;
  }
}

export interface BodyLimits {
  readonly bytesMax: number;
  readonly pace: BodyPace;
  /** Ends the reading. */
  readonly stop: AbortSignal | undefined;
}

/**
 * Reads the body of a response as long as it makes progress. The limits are watched here: whether a signal that was given to `fetch` still reaches the
 * body is up to the garbage collector.
 * @throws TooLongError; BrokenBodyError where it is too slow, is cut, or is stopped
 */
export async function readBody(response: Response, { bytesMax, pace, stop }: BodyLimits): Promise<Buffer> {
  const reader = response.body?.getReader();
  if (reader === undefined) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let size = 0;
  let step = { bytes: pace.stepBytes, endMs: performance.now() + pace.stepMs };
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), step.endMs - performance.now(), stop);
      if (done) return Buffer.concat(pieces, size);
      size += value.length;
      if (size > bytesMax)
        throw new TooLongError(`${new URL(response.url).pathname} is longer than ${bytesMax} bytes.`);
      pieces.push(value);
      if (size >= step.bytes) step = { bytes: size + pace.stepBytes, endMs: performance.now() + pace.stepMs };
    }
  } catch (error) {
    reader.cancel().catch(() => {}); // closes the connection; the first error says more
    if (error instanceof TooLongError) throw error;
    throw new BrokenBodyError("an answer", size, requestFailure(error));
  }
}

/** Rejects where what is read takes longer, or is stopped. */
async function within<T>(reading: Promise<T>, ms: number, stop: AbortSignal | undefined): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the rest came too slowly")), Math.max(0, ms));
  const onStop = () => reject(stop?.reason);
  stop?.addEventListener("abort", onStop, { once: true });
  if (stop?.aborted === true) onStop();
  try {
    return await Promise.race([reading, ended]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", onStop);
  }
}
