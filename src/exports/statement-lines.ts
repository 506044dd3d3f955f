import type { ReadDeps } from "../deps.ts";
import { balanceExpiry, type ExpiryRules } from "../ledger/expiry/expiry.ts";
import { readBalances, type ShownBalance } from "../ledger/read/read-balances.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { presentTier } from "../tiers/tier-update.ts";
import { formatInstant } from "../time/store-time.ts";
import { csvLine } from "./csv-line.ts";
import { isBalanced, STATEMENT_COLUMNS, type StatementRow, statementCells } from "./statement.ts";
import { type StatementSource, streamStatement } from "./statement-queries.ts";
import type { StatementPeriod } from "./statement-sql.ts";

/** The first line of a statement. */
export const STATEMENT_HEADER = csvLine(STATEMENT_COLUMNS);

/** Yields the lines of a statement after the header, one per customer, some at a time: all from one snapshot, with constant memory. */
export async function* statementLines(
  deps: Pick<ReadDeps, "db" | "clock">,
  period: StatementPeriod,
): AsyncGenerator<string[]> {
  const program = await readProgram(deps.db);
  const isSliding = program.expiration.mode === "sliding";
  const expiryOf = createExpiryOf({ ...program.expiration, timeZone: program.store.timeZone });
  for await (const sources of streamStatement(deps.db, period, { isSliding })) {
    const rows = await statementRows(deps, sources, program, expiryOf);
    yield rows.map((row) => csvLine(statementCells(row)));
  }
}

async function statementRows(
  deps: Pick<ReadDeps, "db" | "clock">,
  sources: readonly StatementSource[],
  { tiers }: Program,
  expiryOf: ExpiryOf,
): Promise<StatementRow[]> {
  const expiries = sources.map(expiryOf);
  const due = await dueBalances(deps, sources, expiries);
  return sources.map((source, i) => {
    const { customerUid, storefrontId, email, name, tierUid, openingBalance, closingBalance } = source;
    const current = due.size === 0 ? undefined : due.get(customerUid);
    const row = {
      storefrontId,
      email,
      name,
      tier: presentTier(tiers.rules, tierUid).name,
      openingBalance,
      changes: source,
      closingBalance,
      currentBalance: current?.points ?? source.availablePoints,
      expiresAt: current === undefined ? (expiries[i]?.text ?? null) : textOf(current.expiresAt),
    };
    if (!isBalanced(row)) throw new Error(`the statement of customer ${customerUid} does not add up`);
    return row;
  });
}

/**
 * Returns the balances of sources whose row alone is not sufficient: points or a hold have ended, and that is not written yet. They are computed from
 * the lots.
 */
async function dueBalances(
  deps: Pick<ReadDeps, "db" | "clock">,
  sources: readonly StatementSource[],
  expiries: readonly (KnownExpiry | null)[],
): Promise<Map<string, Pick<ShownBalance, "points" | "expiresAt">>> {
  const now = deps.clock.now().epochNanoseconds;
  const nowUs = Number(now / 1_000n);
  const due = sources.filter(({ heldUntil }, i) => {
    const at = expiries[i]?.nanoseconds;
    return (at !== undefined && at <= now) || (heldUntil !== null && heldUntil <= nowUs);
  });
  return due.length === 0 ? new Map() : readBalances(deps, deps.db, due);
}

interface KnownExpiry {
  readonly nanoseconds: bigint;
  readonly text: string;
}

type ExpiryBounds = Pick<StatementSource, "countsFrom" | "soonestExpiresAt">;
type ExpiryOf = (bounds: ExpiryBounds) => KnownExpiry | null;

const HOUR_US = 3_600_000_000;
/** The maximum number of hours whose dates are cached. */
const SPANS_MAX = 100_000;

interface ExpirySpan {
  first: number;
  last: number;
  readonly expiry: KnownExpiry;
}

/**
 * Returns when balances next expire, by their rows. A computed date never falls as its start rises, so if two starts have the same date,
 * every start between them has it too: most customers' dates follow from a few.
 */
function createExpiryOf(rules: ExpiryRules): ExpiryOf {
  const spans = new Map<number, ExpirySpan>();
  const compute = ({ countsFrom, soonestExpiresAt }: ExpiryBounds) => {
    const bounds = {
      activeAt: null,
      oldestSince: instantOf(countsFrom),
      soonestExpiresAt: instantOf(soonestExpiresAt),
    };
    const at = balanceExpiry(bounds, rules);
    return at === null ? null : { nanoseconds: at.epochNanoseconds, text: formatInstant(at) };
  };
  return ({ countsFrom: start, soonestExpiresAt }) => {
    if (start === null || soonestExpiresAt !== null) return compute({ countsFrom: start, soonestExpiresAt });
    const hour = Math.floor(start / HOUR_US);
    const span = spans.get(hour);
    if (span !== undefined && start >= span.first && start <= span.last) return span.expiry;
    const expiry = compute({ countsFrom: start, soonestExpiresAt });
    if (expiry === null) return null;
    if (span === undefined || span.expiry.nanoseconds !== expiry.nanoseconds) {
      if (spans.size >= SPANS_MAX) spans.clear();
      spans.set(hour, { first: start, last: start, expiry });
    } else if (start < span.first) span.first = start;
    else span.last = start;
    return expiry;
  };
}

function instantOf(us: number | null): Temporal.Instant | null {
  return us === null ? null : new Temporal.Instant(BigInt(us) * 1_000n);
}

function textOf(at: Temporal.Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
