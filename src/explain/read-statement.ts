import { findCustomer } from "../customers/find-customer.ts";
import type { Queryable } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { readBalanceSummary } from "../ledger/read/read-balance-summary.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate, monthIndex, parseInstant, startOfMonthIndex } from "../time/store-time.ts";
import { accountOf } from "./account.ts";
import { countOrders, selectOpening, selectSums } from "./balance-queries.ts";
import { LOTS_MAX } from "./explain-balance.ts";
import { readOrderNames } from "./read-order-names.ts";
import { movementsOf, type PointStatement } from "./statement.ts";
import { selectStatementRows } from "./statement-queries.ts";

interface StatementQuery {
  /** Store days; absent: from the start of the previous month until today. */
  readonly from: string | undefined;
  readonly until: string | undefined;
}

/**
 * Returns a customer's statement for a period, and what expires next as of now. The cost does not grow with the history once its sums are stored
 * (`saveBlocks`). Throws `customer_not_found`, `ambiguous_email`, `invalid` for an invalid period.
 */
export async function readStatement(
  deps: Pick<ReadDeps, "db" | "clock">,
  named: string,
  query: StatementQuery,
): Promise<PointStatement> {
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const [customer, program] = await Promise.all([findCustomer(tx, named), readProgram(tx)]);
    const { timeZone } = program.store;
    const period = periodOf(query, now, timeZone);
    const rules = { ...program.expiration, timeZone };
    const [summary, opening, closing] = await Promise.all([
      readBalanceSummary(tx, customer, rules, { now, lotsMax: LOTS_MAX }),
      readBefore(tx, customer, period.start),
      readBefore(tx, customer, period.end),
    ]);
    if (summary === undefined) throw new Problem("customer_not_found");
    const range = { after: opening.version, upTo: closing.version };
    const [sums, orders, rows] = await Promise.all([
      selectSums(tx, customer, range),
      countOrders(tx, customer, range),
      selectStatementRows(tx, customer, range),
    ]);
    const none = { heldPoints: 0n, duePoints: 0n, expiryDays: [] };
    const { lines } = accountOf({ ...none, opening: opening.points, ledgerPoints: closing.points, orders, sums });
    const { heldPoints, duePoints } = summary.snapshot;
    const { ledgerPoints, expiryDays } = summary;
    // As of now, whatever the period: only the remaining lots matter, not how they were earned.
    const left = { opening: ledgerPoints, orders: null, sums: [] };
    const today = accountOf({ ...left, ledgerPoints, heldPoints, duePoints, expiryDays });
    const [first] = rows;
    return {
      storefrontId: customer.storefrontId,
      ...{ name: customer.name, email: customer.email, from: period.from, until: period.until },
      today: localDate(now, timeZone),
      ...{ opening: opening.points, closing: closing.points, lines, orders },
      ...{ expiries: today.expiries, later: today.later, available: today.available },
      earlierCount: first === undefined ? 0n : first.version - 1n - opening.version,
      earlierPoints: first === undefined ? 0n : first.balanceAfter - first.pointValue - opening.points,
      movements: movementsOf(rows, await readOrderNames(tx, rows), timeZone),
    };
  });
}

interface Period {
  readonly from: string;
  readonly until: string;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
}

function periodOf(query: StatementQuery, now: Temporal.Instant, timeZone: string): Period {
  const monthBefore = startOfMonthIndex(monthIndex(now, timeZone) - 1, timeZone);
  const from = query.from ?? localDate(monthBefore, timeZone);
  const until = query.until ?? localDate(now, timeZone);
  const start = parseInstant(from, { timeZone, edge: "start" });
  const end = parseInstant(until, { timeZone, edge: "end" });
  const refuse = (parameter: string, detail: string) => new Problem("invalid", { faults: [{ parameter, detail }] });
  if (start === null) throw refuse("from", "expected a date, such as 2026-03-01");
  if (end === null) throw refuse("until", "expected a date, such as 2026-03-31");
  if (Temporal.Instant.compare(start, end) >= 0) throw refuse("until", "expected a date that is not before `from`");
  return { from, until, start, end };
}

/** Returns the balance before an instant. */
function readBefore(tx: Queryable, customer: CustomerRef, at: Temporal.Instant) {
  return selectOpening(tx, customer, at.subtract({ microseconds: 1 }));
}
