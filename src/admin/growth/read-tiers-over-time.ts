import type { ReadDeps } from "../../deps.ts";
import { selectCustomersByTier, selectGrowthMonths, selectTierMoves } from "../../growth/read-queries.ts";
import { type TierMonth, tierMonths } from "../../growth/tier-months.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { type GrowthState, readGrowthState } from "./read-growth-state.ts";

const MONTHS = 12;

export interface TiersOverTime extends GrowthState {
  readonly rules: Program["tiers"]["rules"];
  readonly months: readonly TierMonth[];
}

/** Reads the number of customers by tier at the end of each of the last 12 months, and the moves of each month. */
export function readTiersOverTime(deps: Pick<ReadDeps, "db" | "clock">): Promise<TiersOverTime> {
  return deps.db.snapshot(async (tx) => {
    const { rules } = (await readProgram(tx)).tiers;
    const { timeZone: _, ...counted } = await readGrowthState(tx, deps.clock.now());
    const first = counted.lastMonth - MONTHS + 1;
    const [present, moves, figures] = await Promise.all([
      selectCustomersByTier(tx),
      selectTierMoves(tx, first),
      selectGrowthMonths(tx),
    ]);
    const joined = new Map(
      figures.flatMap(({ month, figure, customers }) => (figure === "joined" ? [[month, customers] as const] : [])),
    );
    const facts = { tiers: rules, present, moves, joined };
    return { ...counted, rules, months: tierMonths(facts, first, counted.lastMonth) };
  });
}
