import type { Db } from "../../db/pool.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../exports/csv-line.ts";
import type { Program } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { formatWithOffset } from "../../time/store-time.ts";
import { type ListedBuyer, streamSegment } from "./queries.ts";
import { shownTierName } from "./view.ts";

const COLUMNS = ["Id", "Name", "Email", "Tier", "Points", "Orders", "Spend", "Last order"];

/** Returns a segment's list as CSV, in pieces. Money is in minor units of the store's currency. */
export async function* writeSegmentFile(
  deps: { readonly db: Db },
  list: { readonly uid: string; readonly generation: number },
): AsyncGenerator<string> {
  const program = await readProgram(deps.db);
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  for await (const piece of streamSegment(deps.db, list))
    yield piece.map((row) => csvLine(cellsOf(row, program))).join("");
}

function cellsOf(row: ListedBuyer, program: Program): readonly (string | bigint | null)[] {
  const { id, name, email, points, orders, spend, lastOrderAt } = row;
  const last = lastOrderAt === null ? null : formatWithOffset(lastOrderAt, program.store.timeZone);
  return [id, name, email, shownTierName(row, program), points, orders, BigInt(spend), last];
}
