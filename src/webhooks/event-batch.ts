/** Events in one batch at most: `settled` has a bit for each, and stays a positive bigint. */
export const BATCH_EVENTS_MAX = 60;

const BITS = Array.from({ length: BATCH_EVENTS_MAX }, (_, n) => 1n << BigInt(n));

/** The bit of a batch's event, counted from 0, in `settled`. */
export function bitOf(n: number): bigint {
  const bit = BITS[n];
  if (bit === undefined) throw new RangeError(`a batch has no event ${n}`);
  return bit;
}

/** Where an event stands in its batch. */
export interface BatchPlace {
  /** The batch's, which is its first event's. */
  readonly batchUid: string;
  /** From 0. */
  readonly n: number;
}

/** The places of events, in their order: batches of one topic each, filled in turn. */
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

/** Bits by batch, in the form of two arrays of a statement. */
export function bitsByBatch(places: readonly BatchPlace[]): { uids: string[]; bits: bigint[] } {
  const bits = new Map<string, bigint>();
  for (const { batchUid, n } of places) bits.set(batchUid, (bits.get(batchUid) ?? 0n) | bitOf(n));
  return { uids: [...bits.keys()], bits: [...bits.values()] };
}

/** SQL: whether an event is one of a batch `b` that still waits for its first attempt. */
export function waitsInBatch(eventUid: string): string {
  return `${eventUid} = any(b.uids)
    and (b.settled >> (array_position(b.uids, ${eventUid}) - 1)) & 1 = 0`;
}
