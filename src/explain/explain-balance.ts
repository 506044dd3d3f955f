import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import { type HistorySum, sumHistory } from "../history/sum-history.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { type ExpiryRules, withoutHeld } from "../ledger/expiry/expiry.ts";
import {
  type BalanceSnapshot,
  type BalanceSummary,
  type DatedLot,
  firstLots,
} from "../ledger/read/balance-snapshot.ts";
import { readBalanceAt } from "../ledger/read/read-balance-at.ts";
import { readBalanceSummary } from "../ledger/read/read-balance-summary.ts";
import { Problem } from "../problems.ts";
import { readAsOf } from "../program/read-as-of.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramAsOf } from "../program/read-program-as-of.ts";
import { type Account, accountOf } from "./account.ts";
import { countOrders, type LotSource, selectOpening, selectSources, selectSums } from "./balance-queries.ts";
import type { KindSum } from "./kind-sum.ts";
import { type OrderNames, readOrderNames } from "./read-order-names.ts";

export const LOTS_MAX = 250;

/** A lot of a balance and its source. */
export interface SourcedLot extends DatedLot {
  readonly source: LotSource | null;
  /** For an order's points: the order's name, and the title of its line. */
  readonly names: OrderNames | null;
}

export interface BalanceExplanation extends BalanceSnapshot {
  readonly storefrontId: string;
  readonly at: Temporal.Instant;
  readonly since: Temporal.Instant | null;
  /** The customer's earlier points in other apps; not part of the balance. */
  readonly history: readonly HistorySum[];
  readonly timeZone: string;
  readonly delayMonths: number | null;
  /** The balance at `since`, else 0. */
  readonly opening: bigint;
  readonly sums: readonly KindSum[];
  readonly account: Account;
  /** Whether activity moves the expiry of the available points that expire first. */
  readonly slides: boolean;
  readonly ledgerPoints: bigint;
  readonly version: bigint;
  readonly programVersion: number;
  /** Soonest expiry first, at most 250. */
  readonly lots: readonly SourcedLot[];
  readonly lotCount: number;
  /** The points that are taken from the next ones earned; null: the moment is in the past, for which this is not known. */
  readonly owedPoints: bigint | null;
}

/**
 * Returns the explanation of a balance, now or at `as_of`: the balance at `since`, the changes by type, and the remaining lots. The cost does not
 * grow with the history, except that the first call computes sums that are not stored yet. Throws `customer_not_found`, `ambiguous_email`, `invalid`
 * for invalid or future times.
 */
export async function explainBalance(
  deps: Pick<ReadDeps, "db" | "clock">,
  named: string,
  times: { readonly asOf: string | undefined; readonly since: string | undefined },
): Promise<BalanceExplanation> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const asOf = await readAsOf(tx, { text: times.asOf, parameter: "as_of", now });
    const at = asOf ?? now;
    const since = await readAsOf(tx, { text: times.since, parameter: "since", now: at });
    const customer = await findCustomer(tx, named);
    const isBefore = Temporal.Instant.compare(at, customer.createdAt) < 0;
    const program = await (asOf === null ? readProgram(tx) : readProgramAsOf(tx, asOf));
    const rules = { ...program.expiration, timeZone: program.store.timeZone };
    const query = { at, now: at, lotsMax: LOTS_MAX };
    const balance = await (asOf === null
      ? readBalanceSummary(tx, customer, rules, query)
      : readPastBalance(tx, customer, rules, query));
    if (balance === undefined || isBefore) throw new Problem("customer_not_found");
    const { snapshot, version, ledgerPoints, lotCount, expiryDays, owedPoints } = balance;
    const opening = since === null ? { version: 0n, points: 0n } : await selectOpening(tx, customer, since);
    const versions = { after: opening.version, upTo: version };
    const [sums, orders, sources, history] = await Promise.all([
      selectSums(tx, customer, versions),
      countOrders(tx, customer, versions),
      selectSources(tx, customer, [...new Set(snapshot.lots.map((lot) => lot.version))]),
      sumHistory(tx, customer, at),
    ]);
    const names = await readOrderNames(tx, [...sources.values()]);
    const { heldPoints, duePoints } = snapshot;
    const parts = { opening: opening.points, orders, ledgerPoints, heldPoints, duePoints };
    return {
      ...snapshot,
      account: accountOf({ ...parts, sums, expiryDays }),
      slides: isSliding(rules, firstAvailable(snapshot)),
      storefrontId: customer.storefrontId,
      ...{ at, since, version, ledgerPoints, lotCount, owedPoints, sums, history },
      timeZone: program.store.timeZone,
      delayMonths: rules.delayMonths,
      opening: opening.points,
      programVersion: program.version,
      lots: snapshot.lots.map((lot) => sourced(lot, sources, names)),
    };
  });
}

/** Returns the lot whose points expire first of those that are not on hold; undefined: it is not among the lots that were read. */
function firstAvailable({ lots, heldPoints }: BalanceSummary["snapshot"]): DatedLot | undefined {
  const parts = lots.map((lot) => ({ lot, points: lot.remaining }));
  return withoutHeld(parts, heldPoints)[0]?.lot;
}

function isSliding({ mode, delayMonths }: ExpiryRules, first: DatedLot | undefined): boolean {
  return mode === "sliding" && delayMonths !== null && first !== undefined && first.expiresAt === null;
}

function sourced(
  lot: DatedLot,
  sources: ReadonlyMap<bigint, LotSource>,
  names: ReadonlyMap<string, OrderNames>,
): SourcedLot {
  const source = sources.get(lot.version) ?? null;
  return { ...lot, source, names: (source && names.get(source.uid)) ?? null };
}

async function readPastBalance(
  tx: Tx,
  customer: CustomerRef,
  rules: ExpiryRules,
  query: { readonly at: Temporal.Instant; readonly lotsMax: number },
): Promise<BalanceSummary | undefined> {
  const balance = await readBalanceAt(tx, customer, { at: query.at, newest: false, rules });
  return balance && { ...firstLots(balance, rules, query), owedPoints: null };
}
