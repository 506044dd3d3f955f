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
  async function keep(piece: Buffer | null): Promise<boolean> {
    if (piece === null) return true;
    file.bytes += piece.length;
    return insertPiece(deps.db, lease, file.pieces++, piece);
  }
  gatherer.add(csvLine(STATEMENT_COLUMNS));
  for await (const sources of streamStatement(source, lease)) {
    for (const each of sources) {
      const row = await statementRow(reading, each, program);
      if (!isBalanced(row)) throw new Error(`the statement of customer ${each.customerUid} does not add up`);
      file.rows += 1;
      if (!(await keep(gatherer.add(csvLine(statementCells(row)))))) return null;
    }
    if (signal.aborted) return null;
  }
  return (await keep(gatherer.rest())) ? file : null;
}

async function statementRow(
  deps: Pick<ReadDeps, "db" | "clock">,
  source: StatementSource,
  program: Program,
): Promise<StatementRow> {
  const rules: ExpiryRules = { ...program.expiration, timeZone: program.store.timeZone };
  const shown = await shownBalance(deps, source, rules);
  const { storefrontId, email, name, tierUid, openingBalance, closingBalance, ...rest } = source;
  return {
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
}

/** The row tells, unless something has reached its date, or a hold its end, and that is not written yet: then the lots do. */
async function shownBalance(
  deps: Pick<ReadDeps, "db" | "clock">,
  source: StatementSource,
  rules: ExpiryRules,
): Promise<{ points: bigint; expiresAt: Temporal.Instant | null }> {
  const expiresAt = balanceExpiry(source, rules);
  const row = { points: source.ledgerPoints - source.heldPoints, expiresAt };
  const now = deps.clock.now();
  if ([expiresAt, source.heldUntil].every((at) => at === null || Temporal.Instant.compare(at, now) > 0)) return row;
  const balances = await readBalances(deps, deps.db, [source]);
  return balances.get(source.customerUid) ?? row;
}
