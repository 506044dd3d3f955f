/** A row of a CSV file and the line at which it begins, from 1. */
export interface SplitRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Why a file is not CSV: a quote that is never closed, or a row that is too long or has too many cells (mostly the same mistake). */
export interface Unreadable {
  readonly code: "quote_not_closed" | "row_too_long";
  readonly line: number;
}

/** Splits text into rows as it arrives, and keeps only the incomplete row. */
export interface Splitter {
  /**
   * Takes the next text, or the end with `isEnd`. Returns the rows that are complete now. Lines in which every cell is empty, as spreadsheets leave them
   * below a table, are skipped. If text cannot be read, the rows before it are returned first, and the reason with the next call.
   */
  push(text: string, isEnd?: boolean): SplitRow[] | Unreadable;
}

const QUOTE = 34;
const CR = 13;
const LF = 10;
/** The maximum number of characters of one row, including quoted line ends. */
const ROW_LENGTH_MAX = 65_536;
const CELLS_MAX = 1_000;
const LINE_END = /\r\n|\r|\n/g;

/**
 * Creates a splitter for RFC 4180 as spreadsheets write it: cells may be quoted and contain separators, line ends and doubled quotes; lines end with
 * CRLF, LF or CR. A quote inside an unquoted cell is an ordinary character, and so is text after a closing quote.
 */
export function createSplitter(separator: string): Splitter {
  const separatorCode = separator.charCodeAt(0);
  let rest = "";
  let line = 1;
  return {
    push(text, isEnd = false) {
      const all = rest + text;
      const rows: SplitRow[] = [];
      let at = 0;
      let isTooLong = false;
      while (at < all.length) {
        const read = readRow(all, at, separatorCode, isEnd);
        if (read === null) break;
        isTooLong = read.cells.length > CELLS_MAX || read.next - at > ROW_LENGTH_MAX;
        if (isTooLong) break;
        if (!isEmpty(read.cells)) rows.push({ line, cells: read.cells });
        line += read.lines;
        at = read.next;
      }
      rest = all.slice(at);
      isTooLong ||= rest.length > ROW_LENGTH_MAX;
      if (isTooLong && (isEnd || rows.length === 0)) return { code: "row_too_long", line };
      return isEnd && rest !== "" ? { code: "quote_not_closed", line } : rows;
    },
  };
}

interface ReadRow {
  readonly cells: string[];
  readonly next: number;
  readonly lines: number;
}

/** Returns the row that begins at `from`; null: it is not complete yet. */
function readRow(text: string, from: number, separator: number, isEnd: boolean): ReadRow | null {
  const cells: string[] = [];
  let at = from;
  let lines = 1;
  for (;;) {
    const isQuoted = text.charCodeAt(at) === QUOTE;
    const quoted = isQuoted ? readQuoted(text, at + 1, isEnd) : null;
    if (isQuoted && quoted === null) return null;
    const start = quoted?.next ?? at;
    const end = endOfCell(text, start, separator);
    const plain = text.slice(start, end);
    if (cells.length <= CELLS_MAX) cells.push(quoted === null ? plain : quoted.value + plain);
    if (quoted !== null) lines += quoted.value.match(LINE_END)?.length ?? 0;
    if (end === text.length) return isEnd ? { cells, next: end, lines } : null;
    const code = text.charCodeAt(end);
    at = end + 1;
    if (code === separator) continue;
    if (code === CR && at === text.length && !isEnd) return null;
    if (code === CR && text.charCodeAt(at) === LF) at += 1;
    return { cells, next: at, lines };
  }
}

/** Returns a quoted part from after its opening quote; null: its closing quote has not arrived yet, or may be half of a doubled one. */
function readQuoted(text: string, from: number, isEnd: boolean): { value: string; next: number } | null {
  let value = "";
  for (let at = from; ; ) {
    const close = text.indexOf('"', at);
    if (close === -1 || (close === text.length - 1 && !isEnd)) return null;
    value += text.slice(at, close);
    if (text.charCodeAt(close + 1) !== QUOTE) return { value, next: close + 1 };
    value += '"';
    at = close + 2;
  }
}

function endOfCell(text: string, from: number, separator: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || code === LF || code === CR) break;
  }
  return at;
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === "");
}
