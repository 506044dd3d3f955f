import type { ReadDeps } from "../../deps.ts";
import { selectCustomersByTier, selectTierMoves } from "../../growth/read-queries.ts";
import { stayGroupKey, stayGroups } from "../../growth/stay-groups.ts";
import { type ListedStay, selectStays } from "../../growth/stay-queries.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { parseMonth } from "../../liability/month.ts";
import { Problem } from "../../problems.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { monthIndex } from "../../time/store-time.ts";
import { PAGE_ROWS, pageOf, type RowsPage, readAfter } from "../list.ts";
import type { StaysQuery } from "./schema.ts";
import { stayCursor } from "./stay-cursor.ts";

export interface StaysPage extends RowsPage<ListedStay> {
  readonly month: string;
  readonly rules: Program["tiers"]["rules"];
}

/**
 * Returns the customers who were in a tier at the end of a month, or kept one in it: as many as the tiers over time count. Reads at most one page for
 * each group of stays. Throws `invalid` for an unknown month or tier and for an `after` of another list.
 */
export async function listStays(
  deps: Pick<ReadDeps, "db" | "clock">,
  query: StaysQuery,
  pageRows: number = PAGE_ROWS,
): Promise<StaysPage> {
  const month = parseMonth(query.month);
  if (month === null)
    throw new Problem("invalid", { faults: [{ parameter: "month", detail: "expected a month, as 2026-10" }] });
  const { position } = withoutFaults(readAfter(query.after, stayCursor));
  return deps.db.snapshot(async (tx) => {
    const { store, tiers } = await readProgram(tx);
    const place = query.tier === undefined ? null : tiers.rules.findIndex(({ uid }) => uid === query.tier);
    if (place === -1)
      throw new Problem("invalid", { faults: [{ parameter: "tier", detail: "expected the uid of a tier" }] });
    const [present, moves] = await Promise.all([selectCustomersByTier(tx), selectTierMoves(tx, month)]);
    const lastMonth = monthIndex(deps.clock.now(), store.timeZone);
    const facts = { tiers: tiers.rules, present, moves };
    const { groups, sinceMax } = stayGroups(facts, { month, lastMonth, figure: query.figure, place });
    const rest = position === null ? groups : groups.filter((group) => stayGroupKey(group) >= stayGroupKey(position));
    const [first] = rest;
    const isWithin = position !== null && first !== undefined && stayGroupKey(first) === stayGroupKey(position);
    const after = isWithin ? position : null;
    const rows =
      first === undefined ? [] : await selectStays(tx, { groups: rest, after, sinceMax, rows: pageRows + 1 });
    return { ...pageOf(rows, stayCursor.format, pageRows), month: query.month, rules: tiers.rules };
  });
}
