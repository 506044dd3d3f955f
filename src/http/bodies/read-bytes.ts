import type { Readable } from "node:stream";
import { Problem } from "../../problems.ts";
import { createReadPacer } from "../limits/read-pacer.ts";
import type { BodyBudget, BudgetedBody } from "./body-budget.ts";

const GIVEN_UP_RETRY_S = 2;

/** From this size on a body is read into one buffer: its chunks are freed at once, and its bytes are never stored twice. */
export const WHOLE_FROM_BYTES = 262_144;

/** A turn of the event loop that reads this many bytes of bodies still takes less than a millisecond. */
const BYTES_PER_TURN = 262_144;
const pacer = createReadPacer(BYTES_PER_TURN);

export interface BodyBounds {
  readonly limit: number;
  readonly budget: BodyBudget;
  /** The length that a trusted sender announces; 0: unknown. */
  readonly announced: number;
}

type Done = (error: Error | null, bytes?: Buffer) => void;

/**
 * Reads a body of at most `limit` bytes within a budget, sharing turns with other bodies that are being read. Calls `done` exactly once:
 * with the bytes, with `body_too_large` (413), with `unavailable` (503) if the budget gave the body up, or with the error of the connection
 * (400).
 */
export function readBytes(payload: Readable, bounds: BodyBounds, done: Done): void {
  const { announced, limit, budget } = bounds;
  const isLarge = announced > WHOLE_FROM_BYTES && announced <= limit;
  const reading: BodyReading = {
    heldBytes: 0,
    giveUp: () => finish(reading, new Problem("unavailable", { retryAfterS: GIVEN_UP_RETRY_S })),
    payload,
    bounds,
    done,
    place: pacer.place(),
    chunks: [],
    whole: isLarge ? Buffer.allocUnsafeSlow(announced) : null,
    received: 0,
    isOver: false,
  };
  budget.begin(reading);
  // The listeners stay until the request ends: after the body they do nothing, and removing three of them costs more than everything else.
  payload.on("data", (chunk: Buffer) => add(reading, chunk));
  payload.on("end", () => finish(reading, null));
  payload.on("error", (error: Error) => finish(reading, Object.assign(error, { statusCode: 400 })));
  payload.resume();
}

/** The state of one body; every request with a body creates one. */
interface BodyReading extends BudgetedBody {
  readonly payload: Readable;
  readonly bounds: BodyBounds;
  readonly done: Done;
  readonly place: number;
  /** A small body is stored as its chunks, a large one in `whole`, a buffer that doubles as it fills. */
  chunks: Buffer[];
  whole: Buffer | null;
  received: number;
  isOver: boolean;
}

function add(reading: BodyReading, chunk: Buffer): void {
  if (reading.isOver) return;
  if (keep(reading, chunk)) reading.bounds.budget.take(reading, chunk.length);
  else finish(reading, new Problem("body_too_large"));
  if (reading.isOver || !pacer.isEnough(chunk.length)) return;
  reading.payload.pause();
  pacer.wait(reading.place, () => {
    if (!reading.isOver) reading.payload.resume();
  });
}

function finish(reading: BodyReading, error: Error | null): void {
  if (reading.isOver) return;
  reading.isOver = true;
  const { payload, bounds, done } = reading;
  if (payload.isPaused()) payload.resume(); // what is left of a body that was given up flows away
  bounds.budget.end(reading);
  const bytes = error === null ? bytesOf(reading) : undefined;
  reading.chunks = [];
  reading.whole = null;
  done(error, bytes);
}

/** False: the body would be larger than its limit. */
function keep(reading: BodyReading, chunk: Buffer): boolean {
  const before = reading.received;
  reading.received += chunk.length;
  if (reading.received > reading.bounds.limit) return false;
  if (reading.received > (reading.whole?.length ?? WHOLE_FROM_BYTES)) reading.whole = grown(reading);
  if (reading.whole === null) reading.chunks.push(chunk);
  else chunk.copy(reading.whole, before);
  return true;
}

function grown({ whole, chunks, received, bounds }: BodyReading): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(bounds.limit, Math.max(received, WHOLE_FROM_BYTES) * 2));
  let end = whole?.copy(larger) ?? 0;
  for (const chunk of chunks.splice(0)) end += chunk.copy(larger, end);
  return larger;
}

function bytesOf({ whole, chunks, received }: BodyReading): Buffer {
  if (whole !== null) return whole.subarray(0, received);
  const [only] = chunks; // a copy of the connection's bytes already
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, received);
}
