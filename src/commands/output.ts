import { createInterface } from "node:readline/promises";
import { stripVTControlCharacters } from "node:util";
import { CONTROLS } from "../log.ts";
import { formatInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";

/** The output of a command: `json` with `--json`, otherwise `text`, one line per element. */
export interface Shown {
  readonly json: unknown;
  readonly text: readonly string[];
}

/** The meanings of colours in all commands. */
export type Tone = "good" | "warning" | "bad" | "quiet" | "title";

const TONES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  good: [32, 39],
  warning: [33, 39],
  bad: [31, 39],
  quiet: [2, 22],
  title: [1, 22],
};

/** Whether the standard output shows colours: it is a terminal, and neither NO_COLOR nor TERM disables them. */
export function hasColours(): boolean {
  return process.stdout.isTTY === true && process.stdout.hasColors();
}

/** Returns a text in the colour of its tone, if the standard output shows colours. */
export function inTone(tone: Tone, text: string): string {
  if (!hasColours()) return text;
  const [on, off] = TONES[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** What `inTone` writes. */
const OWN_SEQUENCES = Object.values(TONES).flatMap((codes) => codes.map((code) => `\u001b[${code}m`));

/**
 * Returns a text without control characters other than line ends, tabs and our own colours. A customer's name, a note or a receiver's answer may
 * contain others, which a terminal obeys: they could change what was shown before, or write into the clipboard.
 */
export function harmless(text: string): string {
  return text.replace(CONTROLS, (control, at: number) =>
    OWN_SEQUENCES.some((own) => text.startsWith(own, at)) ? control : "\ufffd",
  );
}

/** Returns a text with spaces in place of line ends and tabs: a line of a note must not look like another row. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, " ");
}

/** Prints a command's output. */
export function print({ isJson }: Pick<Given, "isJson">, { json, text }: Shown): void {
  if (isJson) printLine(jsonText(json));
  else process.stdout.write(text.map((line) => `${harmless(line)}\n`).join(""));
}

/** Prints one line, for a command that continues to run. */
export function printLine(line: string): void {
  process.stdout.write(`${harmless(line)}\n`);
}

/** Prints information that is not part of the result, on the standard error. */
export function printNote(line: string): void {
  process.stderr.write(`${harmless(line)}\n`);
}

/** Says that a list was cut, where more rows were read than are shown. */
export function printMoreNotice(rows: readonly unknown[], shownMax: number): void {
  if (rows.length > shownMax) printNote(`There are more: the first ${pointsText(shownMax)} are shown.`);
}

/** Shows some lines and asks for a yes; false without asking where no person is at a terminal. */
export async function isAgreed(lines: readonly string[]): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`${lines.join("\n")} `)).trim());
  } finally {
    terminal.close();
  }
}

/** Prints a long text in pieces, no faster than it is read. */
export async function printPieces(pieces: AsyncIterable<string | Buffer>): Promise<void> {
  for await (const piece of pieces) {
    // if the reader is gone, the command is interrupted: then nothing drains
    if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}

/**
 * Returns a value as JSON: instants as ISO 8601 in UTC, numbers of the ledger as numbers, beyond 2^53 as strings of digits, and no control
 * characters in texts except as escapes.
 */
export function jsonText(value: unknown, space?: number): string {
  const text = JSON.stringify(
    value,
    (_key, part: unknown) => (typeof part === "bigint" ? numberOrDigits(part) : part),
    space,
  );
  return text.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

function numberOrDigits(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Returns an instant as commands print it in JSON; null if there is none. */
export function jsonTime(at: Temporal.Instant | null | undefined): string | null {
  return at === null || at === undefined ? null : formatInstant(at);
}

/** Returns an instant to the second, in UTC; "" if there is none. */
export function shortTime(at: Temporal.Instant | string | null | undefined): string {
  if (at === null || at === undefined) return "";
  return `${(typeof at === "string" ? at : formatInstant(at)).slice(0, "2026-03-01T09:30:00".length)}Z`;
}

/** The layout of a table. */
export interface TableStyle {
  /** `always`: also without a terminal, and then aligned; `none`: never, and always aligned. */
  readonly header?: "always" | "terminal" | "none";
  /** Columns that are aligned to the right. */
  readonly right?: readonly string[];
}

/**
 * Returns the lines of a table. On a terminal they are aligned, below a header, and cut where they would wrap; otherwise two spaces separate the
 * cells of a row, complete and without colours. Cells may have colours.
 */
export function tableLines(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { header = "terminal", right = [] }: TableStyle = {},
): string[] {
  const isTerminal = process.stdout.isTTY === true;
  const cells = rows.map((row) => row.map(oneLine));
  if (!isTerminal && header === "terminal") return cells.map((row) => row.join("  ").trimEnd());
  const all = header === "none" ? cells : [columns.map((name) => inTone("title", name)), ...cells];
  const widths = columns.map((_, i) => Math.max(0, ...all.map((row) => widthOf(row[i] ?? ""))));
  return all.map((row) => {
    const aligned = columns.map((name, i) => {
      const cell = row[i] ?? "";
      const gap = " ".repeat((widths[i] ?? 0) - widthOf(cell));
      return right.includes(name) ? `${gap}${cell}` : `${cell}${gap}`;
    });
    return cutTo(aligned.join("  ").trimEnd(), isTerminal ? process.stdout.columns : undefined);
  });
}

/** Cuts a line that would wrap; a line with colours or wide characters is not cut if its width is unknown. */
function cutTo(line: string, columns: number | undefined): string {
  if (columns === undefined || columns === 0 || widthOf(line) <= columns) return line;
  return line.length === widthOf(line) ? `${line.slice(0, columns - 1)}…` : line;
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/gu;

/** Returns how many columns of a terminal a text needs: Chinese, Japanese and Korean characters need two. */
function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  return plain.length + (plain.match(WIDE)?.length ?? 0);
}

/** Returns points with thousands separators: `12,300`. */
export function pointsText(points: number | bigint): string {
  return points.toLocaleString("en");
}

/** `1 row`, `1,250 rows`. */
export function countText(count: number | bigint, noun: string): string {
  return `${pointsText(count)} ${noun}${BigInt(count) === 1n ? "" : "s"}`;
}

/** Shows the progress of work on the standard error, if that is a terminal. */
export interface Progress {
  /** Sets the number of finished items, and the total; undefined: the total is unknown. */
  update(done: number, total?: number): void;
  /** Removes the line. */
  end(): void;
}

const PROGRESS_MS = 200;

/** Returns a progress line `checking  1,200 of 50,000  400/s  2 min left`. `unit` is the word after the number: "rows". */
export function createProgress(what: string, unit: string): Progress {
  if (process.stderr.isTTY !== true) return { update: () => {}, end: () => {} };
  const startedMs = performance.now();
  let shownMs = Number.NEGATIVE_INFINITY;
  let first: number | undefined;
  return {
    update(done, total) {
      const nowMs = performance.now();
      first ??= done;
      if (nowMs - shownMs < PROGRESS_MS) return;
      shownMs = nowMs;
      const line = progressLine({ what, unit, done, total, first, seconds: (nowMs - startedMs) / 1_000 });
      process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
    },
    end: () => void process.stderr.write("\r\u001b[K"),
  };
}

interface ProgressFacts {
  readonly what: string;
  readonly unit: string;
  readonly done: number;
  readonly total: number | undefined;
  /** The number of items that an earlier, interrupted call had finished. */
  readonly first?: number;
  readonly seconds: number;
}

/** Returns the text of a progress line. */
export function progressLine({ what, unit, done, total, first = 0, seconds }: ProgressFacts): string {
  const rate = seconds > 0 ? (done - first) / seconds : 0;
  const count =
    total === undefined ? done.toLocaleString("en") : `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  const rateText = rate >= 10 ? Math.round(rate).toLocaleString("en") : rate.toFixed(1);
  const left =
    total === undefined || rate === 0 ? "" : `  ${lengthText(Math.ceil(Math.max(0, total - done) / rate))} left`;
  return `${what}  ${count} ${unit}  ${rateText}/s${left}`;
}

const PARTS = [
  ["day", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Returns a duration in its two largest units: "1 h 5 min". */
export function lengthText(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds)); // below zero: by a clock that was ahead
  const parts = PARTS.flatMap(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(" ") || "0 s";
}
