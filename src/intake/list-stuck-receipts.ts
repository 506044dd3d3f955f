import type { Queryable } from "../db/pool.ts";
import type { ReceiptState } from "./receipt.ts";

/** A receipt that needs attention: it is waiting, has failed, or could not be read. */
export interface StuckReceipt {
  readonly uid: string;
  readonly state: ReceiptState;
  readonly topic: string;
  readonly subject: string;
  readonly note: string | null;
  readonly receivedAt: Temporal.Instant;
}

const SELECT_STUCK = `select r.uid,
  r.state,
  r.topic,
  r.subject,
  r.note,
  r.received_at as "receivedAt"
from receipt r
where r.state in ('waiting', 'failed', 'quarantined')
order by r.state, r.uid
limit $1`;

/** Returns the first `limit` receipts that wait, have failed or were quarantined, by state and arrival. */
export function listStuckReceipts(queryable: Queryable, limit: number): Promise<StuckReceipt[]> {
  return queryable.query<StuckReceipt>(SELECT_STUCK, [limit]);
}
