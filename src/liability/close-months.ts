import { recordAction } from "../audit/record-action.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { localDate, startOfMonthIndex } from "../time/store-time.ts";
import type { LiabilityBook } from "./book.ts";
import { lockBook } from "./book-queries.ts";
import { estimateBackTo } from "./estimates.ts";
import { monthText, parseMonth } from "./month.ts";
import { readOpenDeferrals } from "./read-open-deferrals.ts";
import {
  insertClosedMonth,
  insertDeferrals,
  selectEstimates,
  selectFirstMonth,
  upsertEstimate,
} from "./report-queries.ts";
import { areSeparatedTo, planUnpriced, type UnpricedMark } from "./unpriced.ts";
import { selectUnpricedMark } from "./unpriced-queries.ts";

/**
 * Closes a month (`2026-10`) and all open months before it: stores their deferred revenue, which cannot change afterwards. Throws
 * `invalid` for a month that is closed, has not ended, or whose allotments are not all counted yet. Returns the months that it closed.
 */
export async function closeMonths(deps: Deps, monthGiven: string, closedBy: string): Promise<string[]> {
  const month = parseMonth(monthGiven);
  if (month === null) throw invalid("/month", "expected a month, as 2026-10");
  return deps.db.tx(async (tx) => {
    const book = await lockBook(tx);
    checkCanClose(book, await selectUnpricedMark(tx), { month, now: deps.clock.now() });
    const [first, estimates, { store }] = await Promise.all([
      selectFirstMonth(tx),
      selectEstimates(tx),
      readProgram(tx),
    ]);
    if (first === null || month < first)
      throw invalid("/month", "expected a month in which points moved, or a later one");
    const from = book.closedMonth === null ? first : book.closedMonth + 1;
    const months = await readOpenDeferrals(tx, { from, until: month, estimates, book });
    // what applied to a closed month stays known when the estimate of the later month is set again
    const applied = estimateBackTo(estimates, from);
    if (applied !== null) await upsertEstimate(tx, deps.random.uid(), applied);
    const closedAt = deps.clock.now();
    for (const [each, deferrals] of months) {
      await insertDeferrals(tx, each, deferrals);
      await insertClosedMonth(tx, { month: each, closedAt, closedBy, currency: store.currency });
    }
    const closed = [...months.keys()].map(monthText);
    await recordAction(tx, deps, {
      action: "liability.closed",
      subject: { kind: "liability_month", id: monthText(month) },
      after: { months: closed },
    });
    return closed;
  });
}

function checkCanClose(
  book: LiabilityBook,
  mark: UnpricedMark,
  { month, now }: { readonly month: number; readonly now: Temporal.Instant },
): void {
  if (book.closedMonth !== null && month <= book.closedMonth) {
    throw invalid("/month", `expected a month after ${monthText(book.closedMonth)}, the last that is closed`);
  }
  const isKnown = book.timeZone !== "";
  const endsAt = isKnown ? startOfMonthIndex(month + 1, book.timeZone) : now;
  if (!isKnown || Temporal.Instant.compare(now, endsAt) < 0) throw invalid("/month", "expected a month that is over");
  const isCounted = book.allottedAt !== null && Temporal.Instant.compare(book.allottedAt, endsAt) >= 0;
  if (!isCounted) {
    throw invalid("/month", "expected a month whose allotments are all counted: try again in some seconds");
  }
  if (!areSeparatedTo(month, mark, book)) {
    const { allottedAt } = planUnpriced(mark, book).mark;
    const until = allottedAt === null ? "the beginning" : localDate(allottedAt, book.timeZone);
    throw invalid(
      "/month",
      `points without a price are told apart up to ${until}: close the month when all of that month's are`,
    );
  }
}
