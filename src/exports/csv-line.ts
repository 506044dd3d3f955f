/** Written before the first line of a file, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** Text without a match needs neither quotes nor an apostrophe: most text needs only this check. */
const NEEDS_CARE = /^[=+\-@＝＋－＠]|[",;\t\r\n]/;
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** Text that a spreadsheet would treat as a formula, in any character width. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Returns one line of a CSV file (RFC 4180), including its end; text that other separators would split is quoted too. Text that a
 * spreadsheet would run as a formula gets an apostrophe in front; numbers stay unchanged, including negative ones. null is an empty cell.
 */
export function csvLine(cells: readonly (string | bigint | null)[]): string {
  let line = "";
  for (let i = 0; i < cells.length; i++) line += i === 0 ? csvCell(cells[i]) : `,${csvCell(cells[i])}`;
  return `${line}\r\n`;
}

function csvCell(cell: string | bigint | null | undefined): string {
  if (cell == null) return "";
  if (typeof cell === "bigint") return cell.toString();
  if (!NEEDS_CARE.test(cell)) return cell;
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
