import type { ReadDb } from "../db/pool.ts";
import type { Deps, ReadDeps } from "../deps.ts";
import { balanceExpiry, type ExpiryRules } from "../ledger/expiry.ts";
import { readBalances } from "../ledger/read-balances.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { presentTier } from "../tiers/tier-update.ts";
import { formatInstant } from "../time/store-time.ts";
import { csvLine } from "./csv-line.ts";
import { clearPieces, type ExportLease, insertPiece } from "./lease-queries.ts";
import { gatherPieces } from "./pieces.ts";
import { isBalanced, STATEMENT_COLUMNS, type StatementRow, statementCells } from "./statement.ts";
import { type StatementSource, streamStatement } from "./statement-queries.ts";

const PIECE_BYTES = 262_144;

export interface WrittenFile {
  readonly rows: number;
  readonly bytes: number;
  readonly pieces: number;
}

/**
 * Writes the file of an export into the database, piece by piece as its lines stream in from `source`, the database or a replica: all of
 * one moment, with constant memory (program.md 2). Returns null when the lease was lost or `signal` aborted: nothing more is written then.
 */
export async function writeExport(
  deps: Pick<Deps, "db" | "clock">,
  source: ReadDb,
  lease: ExportLease,
  signal: AbortSignal,
): Promise<WrittenFile | null> {
  await clearPieces(deps.db, lease);
  const program = await readProgram(source);
  const reading = { db: source, clock: deps.clock };
  const gatherer = gatherPieces(PIECE_BYTES);
  const file = { rows: 0, bytes: 0, pieces: 0 };
  let writing = Promise.resolve(true);
  /** Begins to write a piece when the one before is written; returns whether the lease was still held then. */
  async function keep(piece: Buffer): Promise<boolean> {
    if (!(await writing)) return false;
    file.bytes += piece.length;
    writing = insertPiece(deps.db, lease, file.pieces++, piece);
    writing.catch(() => {}); // seen with the next piece, or at the end
    return true;
  }
  try {
    gatherer.add(csvLine(STATEMENT_COLUMNS));
    for await (const sources of streamStatement(source, lease)) {
      for (const row of await statementRows(reading, sources, program)) {
        file.rows += 1;
        const piece = gatherer.add(csvLine(statementCells(row)));
        if (piece !== null && !(await keep(piece))) return null;
      }
      if (signal.aborted) return null;
    }
    const rest = gatherer.rest();
    if (rest !== null && !(await keep(rest))) return null;
    return (await writing) ? file : null;
  } finally {
    await writing.catch(() => {}); // a file that is begun again must not meet a piece of this one
  }
}

async function statementRows(
  deps: Pick<ReadDeps, "db" | "clock">,
  sources: readonly StatementSource[],
  program: Program,
): Promise<StatementRow[]> {
  const rules: ExpiryRules = { ...program.expiration, timeZone: program.store.timeZone };
  const balances = await currentBalances(deps, sources, rules);
  return sources.map((source, i) => {
    const { storefrontId, email, name, tierUid, openingBalance, closingBalance, ...rest } = source;
    const shown = balances[i] ?? { points: 0n, expiresAt: null };
    const row = {
      storefrontId,
      email,
      name,
      tier: presentTier(program.tiers.rules, tierUid).name,
      openingBalance,
      changes: rest,
      closingBalance,
      currentBalance: shown.points,
      expiresAt: shown.expiresAt === null ? null : formatInstant(shown.expiresAt),
    };
    if (!isBalanced(row)) throw new Error(`the statement of customer ${source.customerUid} does not add up`);
    return row;
  });
}

/**
 * The balances of the sources, in their order. The row tells, unless something has reached its date, or a hold its end, and that is not
 * written yet: then the lots do.
 */
async function currentBalances(
  deps: Pick<ReadDeps, "db" | "clock">,
  sources: readonly StatementSource[],
  rules: ExpiryRules,
): Promise<{ readonly points: bigint; readonly expiresAt: Temporal.Instant | null }[]> {
  const now = deps.clock.now();
  const isOver = (at: Temporal.Instant | null) => at !== null && Temporal.Instant.compare(at, now) <= 0;
  const rows = sources.map((source) => ({
    points: source.ledgerPoints - source.heldPoints,
    expiresAt: balanceExpiry(source, rules),
  }));
  const due = sources.filter(({ heldUntil }, i) => isOver(rows[i]?.expiresAt ?? null) || isOver(heldUntil));
  if (due.length === 0) return rows;
  const balances = await readBalances(deps, deps.db, due);
  return rows.map((row, i) => balances.get(sources[i]?.customerUid ?? "") ?? row);
}
