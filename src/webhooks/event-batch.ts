/** The maximum number of events in a batch: `settled` has a bit for each, and stays a positive bigint. */
export const BATCH_EVENTS_MAX = 60;

const BITS = Array.from({ length: BATCH_EVENTS_MAX }, (_, n) => 1n << BigInt(n));

/** Returns the bit of a batch's event, counted from 0, in `settled`. */
export function bitOf(n: number): bigint {
  const bit = BITS[n];
  if (bit === undefined) throw new RangeError(`a batch has no event ${n}`);
  return bit;
}

/** The position of an event in its batch. */
export interface BatchPlace {
  /** The uid of the batch, which is the uid of its first event. */
  readonly batchUid: string;
  /** From 0. */
  readonly n: number;
}

/** Returns the places of events, in their order. Batches have one topic each and are filled one after the other. */
export function placesOf(events: readonly { readonly topic: string; readonly uid: string }[]): BatchPlace[] {
  const open = new Map<string, { batchUid: string; count: number }>();
  return events.map(({ topic, uid }) => {
    let batch = open.get(topic);
    if (batch === undefined || batch.count === BATCH_EVENTS_MAX) {
      batch = { batchUid: uid, count: 0 };
      open.set(topic, batch);
    }
    return { batchUid: batch.batchUid, n: batch.count++ };
  });
}

/** Returns the bits by batch, as two arrays for a statement. */
export function bitsByBatch(places: readonly BatchPlace[]): { uids: string[]; bits: bigint[] } {
  const bits = new Map<string, bigint>();
  for (const { batchUid, n } of places) bits.set(batchUid, (bits.get(batchUid) ?? 0n) | bitOf(n));
  return { uids: [...bits.keys()], bits: [...bits.values()] };
}

/** The position of an event in its topic's stream. */
export interface StreamPlace {
  /** The position of its batch, with the batch's uid: after a database was reset, a position may belong to another batch. */
  readonly position: bigint;
  readonly batchUid: string;
  /** From 0. */
  readonly n: number;
}

/** SQL: whether the event at `n`, from 1, of a batch `b` waits for its first attempt at the receiver of a cursor `c`. */
export function waitsAtCursor(n: string): string {
  return `(b.position is null or b.position > c.position)
    and ((b.settled | coalesce(c.settled[(b.position - c.position)::integer], 0)) >> (${n} - 1)::integer) & 1 = 0`;
}
