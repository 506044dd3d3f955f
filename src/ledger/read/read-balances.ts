import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { BALANCE_COLUMNS } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { balanceExpiry, type ExpiryRules } from "../expiry/expiry.ts";
import type { CustomerLedger } from "../posting.ts";
import { readUpcoming } from "./read-upcoming.ts";

/** A customer's balance as it is shown: available points, and when they next expire (null: never, or there are none). */
export interface ShownBalance {
  readonly storefrontId: string;
  readonly delayMonths: number | null;
  readonly expiresAt: Temporal.Instant | null;
  readonly points: bigint;
  /** Points that will be taken from the next points earned (shortfall `owe`); null for a moment in the past, where it is not known. */
  readonly owed: bigint | null;
  /** Points that holds take from `points` until they end; absent for a moment in the past. */
  readonly held?: bigint;
}

interface BalanceRow extends CustomerLedger {
  readonly storefrontId: string;
}

const READ_BALANCES = `select ${BALANCE_COLUMNS},
  c.storefront_id as "storefrontId"
from (
  select bucket, customer_uid, storefront_id
  from customer
  where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))) c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid`;

// A Citus asks all shards unless the statement has the bucket. For several customers, the buckets would lead its workers to read whole shards.
const READ_BALANCE = `${READ_BALANCES}
where b.bucket = any($1::smallint[])`;

/**
 * Returns balances as customers see them now, by customer uid: the ledger less held points and points that have reached their date, even before
 * the sweeps have written these off and released holds that are over (program.md 3 and 5). Reads only the balance's row unless something is due.
 */
export async function readBalances(
  deps: Pick<Deps, "clock">,
  queryable: Queryable,
  refs: readonly CustomerRef[],
): Promise<Map<string, ShownBalance>> {
  const text = refs.length === 1 && (await queryable.isDistributed()) ? READ_BALANCE : READ_BALANCES;
  const [rows, program] = await Promise.all([
    queryable.query<BalanceRow>(text, [refs.map((r) => r.bucket), refs.map((r) => r.customerUid)]),
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
  const { storefrontId } = row;
  const expiresAt = balanceExpiry(row, rules);
  const isDue = [expiresAt, row.heldUntil].some((at) => at !== null && Temporal.Instant.compare(at, now) <= 0);
  const current = isDue ? await readUpcoming(queryable, row, rules, now) : undefined;
  const { ledgerPoints, heldPoints, owedPoints } = current?.ledger ?? row;
  return {
    storefrontId,
    delayMonths: rules.delayMonths,
    expiresAt: current === undefined ? expiresAt : current.expiresAt,
    points: ledgerPoints - heldPoints,
    owed: owedPoints,
    held: heldPoints,
  };
}
