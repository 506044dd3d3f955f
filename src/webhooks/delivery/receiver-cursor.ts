import { bitOf, type StreamPlace } from "../event-batch.ts";

/** A stored cursor: everything up to `position` is settled; then follow the bits of the batches at `position + 1 + n`. */
export interface StoredCursor {
  readonly position: bigint;
  readonly settled: readonly bigint[];
}

interface Begun {
  readonly uid: string;
  /** The bits of all its events. */
  readonly all: bigint;
  /** The bits of the events whose outcome is in the database: acknowledged, replaced, or with their own row. */
  settled: bigint;
}

/** The progress of one receiver in its topic's stream: what was read, and which part of it is settled in the database. */
export interface ReceiverCursor {
  position: bigint;
  /** Batches up to this position are in memory. */
  readTo: bigint;
  /** Batches after `position` that were read, in the order of their positions. */
  readonly begun: Map<bigint, Begun>;
  /** Bits that were stored after `position` when the cursor was taken, by position. */
  readonly stored: ReadonlyMap<bigint, bigint>;
}

/** Returns a cursor from which reading continues. */
export function openCursor({ position, settled }: StoredCursor): ReceiverCursor {
  const stored = new Map(settled.map((bits, n) => [position + 1n + BigInt(n), bits]));
  return { position, readTo: position, begun: new Map(), stored };
}

/** Adds a batch that was read. `settled` are the bits of its events that go to no receiver. Returns the bits that are settled for this receiver. */
export function beginBatch(
  of: ReceiverCursor,
  { position, uid, count, settled }: { position: bigint; uid: string; count: number; settled: bigint },
): bigint {
  const bits = settled | (of.stored.get(position) ?? 0n);
  of.begun.set(position, { uid, all: (1n << BigInt(count)) - 1n, settled: bits });
  of.readTo = position;
  return bits;
}

/** A cursor to be stored, with the batches that it is based on: it is valid only while these are at their positions. */
export interface MovedCursor extends StoredCursor {
  readonly positions: readonly bigint[];
  readonly uids: readonly string[];
}

/** Returns the cursor as it will be once the events at `places` are settled too; changes nothing. */
export function cursorAfter(of: ReceiverCursor, places: readonly StreamPlace[]): MovedCursor {
  const bits = new Map<bigint, bigint>();
  for (const { position, n } of places) bits.set(position, (bits.get(position) ?? 0n) | bitOf(n));
  let { position } = of;
  let isWhole = true;
  const settled: bigint[] = [];
  const positions: bigint[] = [];
  const uids: string[] = [];
  for (const [at, batch] of of.begun) {
    const now = batch.settled | (bits.get(at) ?? 0n);
    if (now === 0n) {
      isWhole = false;
      continue;
    }
    isWhole &&= now === batch.all;
    if (isWhole || bits.has(at)) {
      positions.push(at);
      uids.push(batch.uid);
    }
    if (isWhole) position = at;
    else settled[Number(at - position) - 1] = now;
  }
  // what the worker before had settled farther on than this one has read
  for (const [at, stored] of of.stored) if (at > of.readTo) settled[Number(at - position) - 1] = stored;
  return { position, settled: Array.from(settled, (one) => one ?? 0n), positions, uids };
}

/** Records that the events at `places` are settled in the database. */
export function settlePlaces(of: ReceiverCursor, places: readonly StreamPlace[]): void {
  for (const { position, n } of places) {
    const batch = of.begun.get(position);
    if (batch !== undefined) batch.settled |= bitOf(n);
  }
  for (const [position, { all, settled }] of of.begun) {
    if (settled !== all) break;
    of.begun.delete(position);
    of.position = position;
  }
}
