import type { Readable } from "node:stream";
import { Problem } from "../problems.ts";
import type { BodyBudget } from "./body-budget.ts";
import { createReadPacer } from "./read-pacer.ts";

const GIVEN_UP_RETRY_S = 2;

/** From here on a body is read into one place: its chunks are free again at once, and its bytes are never there twice. */
export const WHOLE_FROM_BYTES = 262_144;

/** A turn of the event loop that reads so many bytes of bodies still takes less than a millisecond. */
const BYTES_PER_TURN = 262_144;
const pacer = createReadPacer(BYTES_PER_TURN);

export interface BodyBounds {
  readonly limit: number;
  readonly budget: BodyBudget;
  /** The length that a trusted sender announces; 0: none does. */
  readonly announced: number;
}

/**
 * Reads a body of at most `limit` bytes within a budget, in turns with the others that are being read. Tells the bytes, or `body_too_large`
 * (413), `unavailable` (503) where the budget gave the body up, or the error of the connection (400), exactly once.
 */
export function readBytes(
  payload: Readable,
  { limit, budget, announced }: BodyBounds,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const body = collectBytes(limit, announced);
  const place = pacer.place();
  let isOver = false;
  const lease = budget.lease(() => finish(new Problem("unavailable", { retryAfterS: GIVEN_UP_RETRY_S })));
  payload.on("data", onData).on("end", onEnd).on("error", onError);
  payload.resume();

  function onData(chunk: Buffer): void {
    if (body.add(chunk)) lease.take(chunk.length);
    else finish(new Problem("body_too_large"));
    if (isOver || !pacer.isEnough(chunk.length)) return;
    payload.pause();
    pacer.wait(place, resume);
  }

  function resume(): void {
    if (!isOver) payload.resume();
  }

  function onEnd(): void {
    finish(null);
  }

  function onError(error: Error): void {
    finish(Object.assign(error, { statusCode: 400 }));
  }

  function finish(error: Error | null): void {
    if (isOver) return;
    isOver = true;
    payload.off("data", onData).off("end", onEnd).off("error", onError);
    if (payload.isPaused()) payload.resume(); // what is left of a body that was given up flows away
    lease.release();
    const bytes = error === null ? body.bytes() : undefined;
    body.clear();
    done(error, bytes);
  }
}

interface Collected {
  /** False: the body would be larger than its limit. */
  add(chunk: Buffer): boolean;
  bytes(): Buffer;
  clear(): void;
}

/** Keeps a small body as its chunks, a large one in a buffer that doubles as it fills. */
function collectBytes(limit: number, announced: number): Collected {
  const chunks: Buffer[] = [];
  let received = 0;
  let whole: Buffer | null =
    announced > WHOLE_FROM_BYTES && announced <= limit ? Buffer.allocUnsafeSlow(announced) : null;

  function grow(): Buffer {
    const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(received, WHOLE_FROM_BYTES) * 2));
    let end = whole?.copy(larger) ?? 0;
    for (const chunk of chunks.splice(0)) end += chunk.copy(larger, end);
    return larger;
  }

  return {
    add(chunk) {
      const before = received;
      received += chunk.length;
      if (received > limit) return false;
      if (received > (whole?.length ?? WHOLE_FROM_BYTES)) whole = grow();
      if (whole === null) chunks.push(chunk);
      else chunk.copy(whole, before);
      return true;
    },
    bytes: () => whole?.subarray(0, received) ?? Buffer.concat(chunks, received),
    clear() {
      chunks.length = 0;
      whole = null;
    },
  };
}
