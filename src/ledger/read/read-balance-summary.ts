import type { Tx } from "../../db/pool.ts";
import { BALANCE_COLUMNS } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { balanceExpiry, type ExpiryRules, lotExpiry } from "../expiry/expiry.ts";
import { knownExpiryDays } from "../expiry/expiry-days.ts";
import { selectLotsByKind } from "../lots/lot-queries.ts";
import type { Lot } from "../lots/lots.ts";
import type { CustomerLedger } from "../posting.ts";
import { type BalanceSummary, bySoonest, firstLots } from "./balance-snapshot.ts";
import { readBalanceAt } from "./read-balance-at.ts";

const READ_BALANCE = `select ${BALANCE_COLUMNS}
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

type LotDates = Pick<Lot, "since" | "expiresAt">;

const NO_LOTS = { dated: [], datedMore: false, undated: [], undatedMore: false };

const COUNT_LOTS = `select count(*) as lots
from lot l
where l.bucket = $1
  and l.customer_uid = $2`;

const READ_NEWEST_UNDATED = `select l.since,
  null::timestamptz as "expiresAt"
from lot l
where l.bucket = $1
  and l.customer_uid = $2
  and l.expires_at = 'infinity'
order by l.since desc
limit 1`;

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
    const balance = await readBalanceAt(tx, customer, { at: now, newest: true, rules });
    return balance && { ...firstLots(balance, rules, { at: now, lotsMax }), owedPoints };
  }
  const [windows, [counted]] = await Promise.all([
    selectLotsByKind(tx, { refs: [customer], named: [], size: lotsMax }),
    tx.query<{ lots: bigint }>(COUNT_LOTS, [bucket, customerUid]),
  ]);
  const { datedMore, undatedMore, ...read } = windows.get(customerUid) ?? NO_LOTS;
  const [newest] = undatedMore ? await tx.query<LotDates>(READ_NEWEST_UNDATED, [bucket, customerUid]) : [];
  const goesAt = (lot: LotDates) => lotExpiry(lot, activeAt, rules);
  const dated = read.dated.map((lot) => ({ ...lot, goesAt: goesAt(lot) }));
  const undated = read.undated.map((lot) => ({ ...lot, goesAt: goesAt(lot) }));
  const lastUndatedGoesAt = newest === undefined ? null : goesAt(newest);
  const snapshot = {
    ...{ available: ledgerPoints - heldPoints, heldPoints, duePoints: 0n, expiresAt },
    lots: [...dated, ...undated].sort(bySoonest).slice(0, lotsMax),
  };
  return {
    ...{ version, ledgerPoints, owedPoints, snapshot, lotCount: Number(counted?.lots ?? 0n) },
    expiryDays: knownExpiryDays({ dated, datedMore, undated, undatedMore, lastUndatedGoesAt, points: ledgerPoints }),
  };
}
