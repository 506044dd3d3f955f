import type { ReadDeps } from "../deps.ts";
import { balanceExpiry, type ExpiryRules } from "../ledger/expiry.ts";
import { readBalances } from "../ledger/read-balances.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { presentTier } from "../tiers/tier-update.ts";
import { formatInstant } from "../time/store-time.ts";
import { csvLine } from "./csv-line.ts";
import { isBalanced, STATEMENT_COLUMNS, type StatementRow, statementCells } from "./statement.ts";
import { type StatementSource, streamStatement } from "./statement-queries.ts";

/** The first line of a statement. */
export const STATEMENT_HEADER = csvLine(STATEMENT_COLUMNS);

/** Returns the lines of a statement behind the header, a customer each, some at a time: all of one moment, with constant memory. */
export async function* statementLines(
  deps: Pick<ReadDeps, "db" | "clock">,
  period: { readonly startAt: Temporal.Instant; readonly endAt: Temporal.Instant },
): AsyncGenerator<string[]> {
  const program = await readProgram(deps.db);
  for await (const sources of streamStatement(deps.db, period)) {
    const rows = await statementRows(deps, sources, program);
    yield rows.map((row) => csvLine(statementCells(row)));
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
