/** Before the first line of a file, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Neither quotes nor an apostrophe are needed where nothing of this is found: most text is looked at once. */
const NEEDS_CARE = /^[=+\-@＝＋－＠]|[",;\t\r\n]/;
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** What a spreadsheet would take for a formula, in whatever width. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * One line of a CSV file (RFC 4180), its end included; what other separators would cut is quoted too. Text that a spreadsheet would run as a formula gets an apostrophe in front;
 * numbers stay as they are, negative ones too. Null is an empty cell.
 */
export function csvLine(cells: readonly (string | bigint | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | bigint | null): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return cell.toString();
  if (!NEEDS_CARE.test(cell)) return cell;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
