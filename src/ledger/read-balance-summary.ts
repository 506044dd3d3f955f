import type { Tx } from "../db/pool.ts";
import { BALANCE_COLUMNS } from "./balance-queries.ts";
import { type BalanceSummary, bySoonest, firstLots } from "./balance-snapshot.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { balanceExpiry, type ExpiryRules, lotExpiry } from "./expiry.ts";
import { selectLotsByKind } from "./lot-queries.ts";
import type { CustomerLedger } from "./posting.ts";
import { readBalanceAt } from "./read-balance-at.ts";

const READ_BALANCE = `select ${BALANCE_COLUMNS}
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

const COUNT_LOTS = `select count(*) as lots
from lot l
where l.bucket = $1
  and l.customer_uid = $2`;

/**
 * Reads the present balance from its row and the lots that expire first. Its cost depends on `lotsMax`, not on the length of the customer's
 * history. All lots are read only if due points are not written off yet. Undefined: there is no balance. Call it in a snapshot.
 */
export async function readBalanceSummary(
  tx: Tx,
  customer: CustomerRef,
  rules: ExpiryRules,
  { now, lotsMax }: { readonly now: Temporal.Instant; readonly lotsMax: number },
): Promise<BalanceSummary | undefined> {
  const { bucket, customerUid } = customer;
  const [row] = await tx.query<CustomerLedger>(READ_BALANCE, [bucket, customerUid]);
  if (row === undefined) return undefined;
  const { version, ledgerPoints, heldPoints, heldUntil, owedPoints, activeAt } = row;
  const expiresAt = balanceExpiry(row, rules);
  if ([expiresAt, heldUntil].some((at) => at !== null && Temporal.Instant.compare(at, now) <= 0)) {
    const balance = await readBalanceAt(tx, customer, { at: now, newest: true });
    return balance && { ...firstLots(balance, rules, { at: now, lotsMax }), owedPoints };
  }
  const [windows, [counted]] = await Promise.all([
    selectLotsByKind(tx, { refs: [customer], named: [], size: lotsMax }),
    tx.query<{ lots: bigint }>(COUNT_LOTS, [bucket, customerUid]),
  ]);
  const { dated, undated } = windows.get(customerUid) ?? { dated: [], undated: [] };
  const lots = [...dated, ...undated].map((lot) => ({ ...lot, goesAt: lotExpiry(lot, activeAt, rules) }));
  const snapshot = {
    ...{ available: ledgerPoints - heldPoints, heldPoints, duePoints: 0n, expiresAt },
    lots: lots.toSorted(bySoonest).slice(0, lotsMax),
  };
  return { version, ledgerPoints, owedPoints, snapshot, lotCount: Number(counted?.lots ?? 0n) };
}
