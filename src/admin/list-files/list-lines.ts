import { csvLine } from "../../exports/csv-line.ts";
import { formatWithOffset } from "../../time/store-time.ts";

/** The value of a cell: a time is an instant in UTC, which is written in the store's zone. */
type ListCell = string | number | null | { readonly at: string | null };

/** The columns of a list's file in order, by name. */
export type ListColumns<Row> = Readonly<Record<string, (row: Row) => ListCell>>;

/** Returns the lines of some rows of a list's file. */
export function listLines<Row>(columns: ListColumns<Row>, rows: readonly Row[], timeZone: string): string {
  const cells = Object.values(columns);
  return rows.map((row) => csvLine(cells.map((cell) => cellText(cell(row), timeZone)))).join("");
}

function cellText(cell: ListCell, timeZone: string): string | bigint | null {
  if (typeof cell === "number") return Number.isInteger(cell) ? BigInt(cell) : String(cell);
  if (typeof cell === "string" || cell === null) return cell;
  return cell.at === null ? null : formatWithOffset(Temporal.Instant.from(cell.at), timeZone);
}
