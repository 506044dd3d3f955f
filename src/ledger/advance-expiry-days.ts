import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { expiryDay } from "./expiry-day.ts";
import { lockBalances } from "./lock-balances.ts";

const DAY = expiryDay("b.active_at", "b.oldest_since");

const ADVANCE = `update balance b
set expiry_from_on = ${DAY}
where (b.bucket, b.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
  and b.expiry_from_on is distinct from ${DAY}`;

/** Brings balances to the place in the sweep's index where their lots stand now, or out of it where they have none. */
export async function advanceExpiryDays(tx: Tx, customers: readonly CustomerRef[]): Promise<void> {
  await Promise.all([
    lockBalances(tx, customers),
    tx.execute(ADVANCE, [customers.map(({ bucket }) => bucket), customers.map(({ customerUid }) => customerUid)]),
  ]);
}
