import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { AFTER_EARLIER, type Receipt } from "./receipt.ts";

const FIND_EARLIER = `select
from receipt r
where r.subject = any($1)
  and r.state = 'new'
  and r.uid < (select o.uid from receipt o where o.key = $2)
limit 1`;

/** Whether receipts of some subjects that arrived before a receipt are still to be processed, now or again after a failure. */
export async function hasEarlierReceipts(
  tx: Tx,
  { key }: Pick<Receipt, "key">,
  subjects: readonly string[],
): Promise<boolean> {
  return (await tx.query(FIND_EARLIER, [subjects, key])).length > 0;
}

const UNPROCESSED = `select key
from receipt
where subject = any($1)
  and state = 'new'`;

/** Returns the keys of the receipts of some subjects that are still to be processed, now or again after a failure. */
export async function selectUnprocessed(queryable: Queryable, subjects: readonly string[]): Promise<Buffer[]> {
  return (await queryable.query<{ key: Buffer }>(UNPROCESSED, [subjects])).map(({ key }) => key);
}

const OPEN_ORDERS = `select distinct r.subject
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join store_order o on o.bucket = k.bucket and o.customer_uid = k.customer_uid
join receipt r on r.subject = 'order/' || o.order_id
where r.subject like 'order/%'
  and r.state in ('new', 'failed')`;

/** Returns the subjects of those orders of some customers that have receipts to be processed, or that failed. */
export async function selectOpenOrders(queryable: Queryable, refs: readonly CustomerRef[]): Promise<string[]> {
  return (await queryable.query<{ subject: string }>(OPEN_ORDERS, refKeys(refs))).map(({ subject }) => subject);
}

const AWAITED = `select distinct subject
from receipt
where key = any($1)
  and state = 'new'
  and note is distinct from $2
order by subject`;

/** Returns the subjects of those receipts that are still to be processed, and do not wait for others. */
export async function selectAwaited(queryable: Queryable, keys: readonly Buffer[]): Promise<string[]> {
  const rows = await queryable.query<{ subject: string }>(AWAITED, [keys, AFTER_EARLIER.note]);
  return rows.map(({ subject }) => subject);
}

// The literals let the planner use the partial indexes.
const RETRY_FAILED = `update receipt r
set state = 'new',
  attempts = 0,
  due_at = default
where (r.subject = any($1) and r.subject like 'order/%'
    or r.subject = any($1) and r.subject like 'customer/%')
  and r.state = 'failed'
  and r.topic <> 'FlowAdjustRequested'
  and ($2::bytea is null or r.uid < (select o.uid from receipt o where o.key = $2))`;

/**
 * Makes receipts of some subjects that have failed, and arrived before a receipt if it is given, be tried again, as often as new ones: the reason may
 * be over. A workflow's points are not tried: they may have been given by hand since.
 */
export async function retryFailed(tx: Tx, subjects: readonly string[], before?: Pick<Receipt, "key">): Promise<void> {
  await tx.execute(RETRY_FAILED, [subjects, before?.key ?? null]);
}

const DROP_BODY = `update receipt
set state = 'done',
  headers = null,
  body = null
where key = $1`;

/** Drops what a receipt contains, which is then done. */
export async function dropBody(tx: Tx, { key }: Pick<Receipt, "key">): Promise<void> {
  await tx.execute(DROP_BODY, [key]);
}
