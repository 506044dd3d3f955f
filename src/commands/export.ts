import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportLedger } from "../admin/ledger/export-ledger.ts";
import { recordAction } from "../audit/record-action.ts";
import { UsageError } from "../config.ts";
import type { Deps } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { STATEMENT_HEADER, statementLines } from "../exports/statement-lines.ts";
import { ALLOTMENT_TYPE_NAMES } from "../ledger/allotment-types.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant, parseInstant } from "../time/store-time.ts";
import type { Given } from "./command-line.ts";
import { countText, createProgress, print, printPieces } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** Before the first allotment of any store. */
const BEGINNING = Temporal.Instant.from("0001-01-01T00:00:00Z");
const STDOUT = "-";

/**
 * `pointkeeper export balances|allotments <file or -> [--from <time>] [--to <time>] [--type <types>]`: the CSV files of the dashboard. A file is
 * written under a temporary name and renamed when it is complete.
 */
export async function exportFile(given: Given): Promise<number> {
  const { action, operands, options } = given;
  const [file = STDOUT] = operands;
  const query = { from: options.get("from"), to: options.get("to") };
  const types = typesOf(options.get("type"));
  for (const name of ["from", "to"] as const) assertTime(name, query[name]);
  const rows = await withDeps(async (deps) => {
    const pieces =
      action === "balances"
        ? await balances(deps, query)
        : (await exportLedger(deps, { ...withoutAbsent(query), ...withoutAbsent({ type: types }) })).pieces;
    return writeOut(pieces, file, action);
  });
  if (file !== STDOUT)
    print(given, {
      json: { file, rows },
      text: [`${countText(rows, "row")} ${rows === 1 ? "was" : "were"} written to ${file}.`],
    });
  return 0;
}

interface Span {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Returns opening and closing balances, and the sums in between, of all customers whose points changed in a period. */
async function balances(deps: Deps, { from, to }: Span): Promise<AsyncIterable<string>> {
  const { timeZone } = (await readProgram(deps.db)).store;
  const now = deps.clock.now();
  const startAt = from === undefined ? BEGINNING : parseInstant(from, { timeZone, edge: "start" });
  // changes while it is read belong to the next export
  const endAt = to === undefined ? now.add({ milliseconds: 1 }) : parseInstant(to, { timeZone, edge: "end" });
  if (startAt === null || endAt === null) throw new UsageError("Expected --from and --to to be times of the store.");
  if (Temporal.Instant.compare(startAt, endAt) >= 0) throw new UsageError("Expected --from before --to.");
  const after = { start_at: from === undefined ? null : formatInstant(startAt), end_at: formatInstant(endAt) };
  await recordAction(deps.db, deps, {
    action: "balances.exported",
    subject: { kind: "ledger", id: "balances" },
    after,
  });
  return balanceLines(deps, { startAt, endAt });
}

async function* balanceLines(
  deps: Deps,
  period: { readonly startAt: Temporal.Instant; readonly endAt: Temporal.Instant },
): AsyncGenerator<string> {
  yield STATEMENT_HEADER;
  for await (const lines of statementLines(deps, period)) yield lines.join("");
}

/** Validates a time before a database is opened: the time zone of a date is known only later. */
function assertTime(name: "from" | "to", text: string | undefined): void {
  if (text === undefined || parseInstant(text, { timeZone: "UTC", edge: "start" }) !== null) return;
  throw new UsageError(`--${name} ${text}: expected an ISO 8601 date or date-time.`);
}

function typesOf(text: string | undefined): string | undefined {
  const unknown = text?.split(",").find((type) => !ALLOTMENT_TYPE_NAMES.some((name) => name === type));
  if (unknown === undefined) return text;
  throw new UsageError(`--type ${unknown}: expected some of ${ALLOTMENT_TYPE_NAMES.join(", ")}, comma-separated.`);
}

function withoutAbsent<Fields extends Record<string, string | undefined>>(
  fields: Fields,
): { [Name in keyof Fields]?: string } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: string }; // cast: the same names, without those that are absent
}

/** Writes the pieces. Returns the number of rows, without the header. */
async function writeOut(pieces: AsyncIterable<string>, file: string, what: string): Promise<number> {
  const progress = createProgress(`exporting ${what}`, "rows");
  const counted = { rows: -1 };
  async function* counting(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      counted.rows += rowsIn(piece);
      progress.update(Math.max(0, counted.rows));
      yield piece;
    }
  }
  try {
    if (file === STDOUT) await printPieces(counting());
    else await writeWhole(counting(), file);
  } finally {
    progress.end();
  }
  return counted.rows;
}

/** Counts line ends outside quotes, because cells may contain line ends. */
function rowsIn(piece: string): number {
  let rows = 0;
  let isQuoted = false;
  for (const letter of piece) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === "\n" && !isQuoted) rows += 1;
  }
  return rows;
}

/** Writes a file under a temporary name and renames it when it is complete. Throws ConfigError if it cannot be written. */
export async function writeWhole(pieces: AsyncIterable<string | Buffer>, file: string): Promise<void> {
  const draft = `${file}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    const code: unknown = error instanceof Error ? Reflect.get(error, "syscall") : undefined;
    if (code === "open" || code === "rename" || code === "write")
      throw new ConfigError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}
