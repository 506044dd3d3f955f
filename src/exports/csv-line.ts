const NEEDS_QUOTES = /[",\r\n]/;
/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of a CSV file (RFC 4180), its end included. Text that a spreadsheet would run as a formula gets an apostrophe in front;
 * numbers stay as they are, negative ones too. Null is an empty cell.
 */
export function csvLine(cells: readonly (string | bigint | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | bigint | null): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return cell.toString();
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
