import type { ReadDeps } from "../../deps.ts";
import { type ListedMove, selectMovedCustomers } from "../../growth/moved-queries.ts";
import { selectTierMoves } from "../../growth/read-queries.ts";
import { directionOf, type TierMove, tierPlaces } from "../../growth/tier-months.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { refOf } from "../../ledger/customer-ref.ts";
import { parseMonth } from "../../liability/month.ts";
import { Problem } from "../../problems.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { monthIndex } from "../../time/store-time.ts";
import { PAGE_ROWS, pageOf, type RowsPage, readAfter } from "../list.ts";
import { movedCursor } from "./moved-cursor.ts";
import type { MovesQuery } from "./schema.ts";

export interface MovedPage extends RowsPage<ListedMove> {
  readonly month: string;
  readonly rules: Program["tiers"]["rules"];
  /** The moves that the month's figures of the direction count, most customers first. */
  readonly moves: readonly TierMove[];
}

/**
 * Returns the customers who moved up or down in a month, or from one tier to another: as many as the figures of the tiers over time count. Reads at
 * most one page for each pair of tiers. Throws `invalid` for text that is not a month and for an `after` of another list.
 */
export async function listMoved(
  deps: Pick<ReadDeps, "db" | "clock">,
  query: MovesQuery,
  pageRows: number = PAGE_ROWS,
): Promise<MovedPage> {
  const asked = parseMonth(query.month);
  if (asked === null)
    throw new Problem("invalid", { faults: [{ parameter: "month", detail: "expected a month, as 2026-10" }] });
  const { position } = withoutFaults(readAfter(query.after, movedCursor));
  return deps.db.snapshot(async (tx) => {
    const { store, tiers } = await readProgram(tx);
    const last = monthIndex(deps.clock.now(), store.timeZone);
    const found = await selectTierMoves(tx, asked);
    const places = tierPlaces(tiers.rules);
    const moves = found
      .filter(({ month }) => Math.min(month, last) === asked)
      .filter((move) => directionOf(move, places) === query.direction)
      .toSorted((a, b) => Number(b.customers - a.customers) || (keyOf(a) < keyOf(b) ? -1 : 1));
    const chosen = moves.filter((move) => isAsked(move, query)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rest = position === null ? chosen : chosen.filter((move) => keyOf(move) >= keyOf(position));
    const [first] = rest;
    const isWithin = position !== null && first !== undefined && keyOf(first) === keyOf(position);
    const after = isWithin ? refOf(position.customerUid) : null;
    const rows = rest.length === 0 ? [] : await selectMovedCustomers(tx, { moves: rest, after, rows: pageRows + 1 });
    return { ...pageOf(rows, movedCursor.format, pageRows), month: query.month, rules: tiers.rules, moves };
  });
}

/** A month has five digits, so that the keys sort correctly as texts. */
function keyOf({ month, from, to }: Pick<TierMove, "month" | "from" | "to">): string {
  return `${month} ${from} ${to}`;
}

function isAsked({ from, to }: Pick<TierMove, "from" | "to">, query: MovesQuery): boolean {
  return (query.from ?? from) === from && (query.to ?? to) === to;
}
