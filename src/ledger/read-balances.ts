import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../shop/read-program.ts";
import type { ShownBalance } from "./balance-view.ts";
import type { CustomerRef } from "./customer-ref.ts";
import { balanceExpiry, type ExpiryBounds, type ExpiryRules, lotExpiry } from "./expiry.ts";
import type { Lot } from "./lots.ts";

interface BalanceRow extends ExpiryBounds, CustomerRef {
  readonly storefrontId: string;
  readonly ledgerPoints: bigint;
  readonly heldPoints: bigint;
}

const READ_BALANCES = `select b.bucket,
  b.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  b.ledger_points as "ledgerPoints",
  b.held_points as "heldPoints",
  b.active_at as "activeAt",
  b.oldest_since as "oldestSince",
  b.soonest_expires_at as "soonestExpiresAt"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join balance b on b.bucket = w.bucket and b.customer_uid = w.customer_uid
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid`;

const READ_LOTS = `select l.remaining,
  l.expires_at as "expiresAt",
  l.since
from lot l
where l.bucket = $1 and l.customer_uid = $2`;

/**
 * Balances as customers see them at this moment, by customer uid: the ledger less what is held and what has reached its
 * date, also before the sweep has written that off (program.md 3 and 5). A row alone tells unless something is due.
 */
export async function readBalances(
  deps: Pick<Deps, "clock">,
  queryable: Queryable,
  refs: readonly CustomerRef[],
): Promise<Map<string, ShownBalance>> {
  const [rows, program] = await Promise.all([
    queryable.query<BalanceRow>(READ_BALANCES, [refs.map((r) => r.bucket), refs.map((r) => r.customerUid)]),
    readProgram(queryable),
  ]);
  const rules: ExpiryRules = { ...program.expiration, timeZone: program.store.timeZone };
  const now = deps.clock.now();
  const shown = new Map<string, ShownBalance>();
  for (const row of rows) shown.set(row.customerUid, await showRow(queryable, row, rules, now));
  return shown;
}

async function showRow(
  queryable: Queryable,
  row: BalanceRow,
  rules: ExpiryRules,
  now: Temporal.Instant,
): Promise<ShownBalance> {
  const { storefrontId, ledgerPoints, heldPoints } = row;
  const available = ledgerPoints - heldPoints;
  const expiresAt = balanceExpiry(row, rules);
  const plain = { storefrontId, delayMonths: rules.delayMonths, expiresAt, points: available };
  if (expiresAt === null || Temporal.Instant.compare(expiresAt, now) > 0) return plain;
  const lots = await queryable.query<Pick<Lot, "remaining" | "expiresAt" | "since">>(READ_LOTS, [
    row.bucket,
    row.customerUid,
  ]);
  let due = 0n;
  let next: Temporal.Instant | null = null;
  for (const lot of lots) {
    const at = lotExpiry(lot, row.activeAt, rules);
    if (at === null) continue;
    if (Temporal.Instant.compare(at, now) <= 0) due += lot.remaining;
    else if (next === null || Temporal.Instant.compare(at, next) < 0) next = at;
  }
  return { ...plain, expiresAt: next, points: due < available ? available - due : 0n };
}
