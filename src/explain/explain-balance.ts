import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { type DatedLot, type Standing, standingAt } from "../ledger/balance-at.ts";
import { readBalanceAt } from "../ledger/read-balance-at.ts";
import { Problem } from "../problems.ts";
import { readAsOf } from "../shop/read-as-of.ts";
import { readProgram } from "../shop/read-program.ts";
import { readProgramAsOf } from "../shop/read-program-as-of.ts";
import { type LotSource, selectOpening, selectSources, selectSums, type TypeSum } from "./balance-queries.ts";

export const LOTS_MAX = 250;

/** A lot of a balance and where it came from. */
export interface SourcedLot extends DatedLot {
  readonly source: LotSource | null;
}

export interface BalanceAccount extends Standing {
  readonly storefrontId: string;
  readonly at: Temporal.Instant;
  readonly since: Temporal.Instant | null;
  readonly timeZone: string;
  readonly delayMonths: number | null;
  /** At `since`, else 0. */
  readonly opening: bigint;
  readonly sums: readonly TypeSum[];
  readonly ledgerPoints: bigint;
  readonly version: bigint;
  readonly programVersion: number;
  /** Soonest expiry first, at most 250. */
  readonly lots: readonly SourcedLot[];
  readonly lotCount: number;
}

/**
 * Why a customer has the points that are shown, now or at `as_of`: what there was at `since`, what came and went by type, and the lots that
 * are left. Throws `customer_not_found`, `ambiguous_email`, `invalid` for times that cannot be read or are to come.
 */
export async function explainBalance(
  deps: Pick<Deps, "db" | "clock">,
  named: string,
  times: { readonly asOf: string | undefined; readonly since: string | undefined },
): Promise<BalanceAccount> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const asOf = await readAsOf(tx, { text: times.asOf, parameter: "as_of", now });
    const at = asOf ?? now;
    const since = await readAsOf(tx, { text: times.since, parameter: "since", now: at });
    const customer = await findCustomer(tx, named);
    const isBefore = Temporal.Instant.compare(at, customer.createdAt) < 0;
    const balance = await readBalanceAt(tx, customer, { at, newest: asOf === null });
    if (balance === undefined || isBefore) throw new Problem("customer_not_found");
    const program = await (asOf === null ? readProgram(tx) : readProgramAsOf(tx, asOf));
    const rules = { ...program.expiration, timeZone: program.store.timeZone };
    const standing = standingAt(balance, rules, at);
    const lots = standing.lots.toSorted(bySoonest).slice(0, LOTS_MAX);
    const opening = since === null ? { version: 0n, points: 0n } : await selectOpening(tx, customer, since);
    const [sums, sources] = await Promise.all([
      selectSums(tx, customer, { after: opening.version, upTo: balance.version }),
      selectSources(tx, customer, [...new Set(lots.map(({ version }) => version))]),
    ]);
    return {
      ...standing,
      storefrontId: customer.storefrontId,
      at,
      since,
      timeZone: program.store.timeZone,
      delayMonths: rules.delayMonths,
      opening: opening.points,
      sums,
      ledgerPoints: balance.ledgerPoints,
      version: balance.version,
      programVersion: program.version,
      lots: lots.map((lot) => ({ ...lot, source: sources.get(lot.version) ?? null })),
      lotCount: standing.lots.length,
    };
  });
}

function bySoonest(a: DatedLot, b: DatedLot): number {
  if (a.goesAt === null || b.goesAt === null) return Number(a.goesAt === null) - Number(b.goesAt === null);
  return Temporal.Instant.compare(a.goesAt, b.goesAt) || Number(a.version - b.version);
}
