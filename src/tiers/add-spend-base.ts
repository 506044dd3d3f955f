import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** Money that a customer spent in another app and that counts toward tiers, with a single date. */
export interface SpendBase extends CustomerRef {
  /** In minor units of the store's currency, at least 0. */
  readonly spentMinor: bigint;
  /** A tier check counts it if this instant is within the check's window. */
  readonly asOf: Temporal.Instant;
  readonly importUid: string;
}

const UPSERT = `insert into customer_spend_base as b (bucket, customer_uid, as_of, import_uid, spend_minor)
select *
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::bigint[])
on conflict (bucket, customer_uid, as_of, import_uid) do update
set spend_minor = b.spend_minor + excluded.spend_minor`;

/**
 * Adds customers' spend from elsewhere. A customer may have any number of dates, and any number of rows of one date and import: they add
 * up, so the caller must pass each row once. The caller has locked the customers' balances.
 */
export async function addSpendBase(tx: Tx, given: readonly SpendBase[]): Promise<void> {
  const rows = [...Map.groupBy(given, keyOf).values()].flatMap(summed);
  if (rows.length === 0) return;
  await tx.execute(UPSERT, [
    rows.map(({ bucket }) => bucket),
    rows.map(({ customerUid }) => customerUid),
    rows.map(({ asOf }) => asOf),
    rows.map(({ importUid }) => importUid),
    rows.map(({ spentMinor }) => spentMinor),
  ]);
}

const keyOf = ({ customerUid, asOf, importUid }: SpendBase) => `${customerUid} ${asOf.epochNanoseconds} ${importUid}`;

/** Sums the rows of the same customer, date and import. */
function summed(rows: readonly SpendBase[]): SpendBase[] {
  const [first] = rows;
  return first === undefined ? [] : [{ ...first, spentMinor: rows.reduce((sum, row) => sum + row.spentMinor, 0n) }];
}
