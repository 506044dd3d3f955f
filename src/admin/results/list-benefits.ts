import type { ReadDeps } from "../../deps.ts";
import { decidedBefore, type ListedBenefit, selectListedBenefits } from "../../growth/listed-benefits-queries.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { parseMonth } from "../../liability/month.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { monthIndex, startOfMonthIndex } from "../../time/store-time.ts";
import { PAGE_ROWS, pageOf, type RowsPage, readAfter, timeUuidCursor } from "../list.ts";
import { BENEFIT_MONTHS } from "./read-benefits.ts";
import type { ListedBenefitsQuery } from "./schema.ts";

export interface ListedBenefits extends RowsPage<ListedBenefit> {
  /** Whether the time has passed within which an order counts as theirs. */
  readonly isDecided: (benefit: ListedBenefit) => boolean;
}

/**
 * Returns redeemed coupons, or the rewards of a kind, of a month or of the last 12, newest first: as many as the figures count. Throws `invalid` for
 * text that is not a month and for an `after` of another list.
 */
export async function listBenefits(
  deps: Pick<ReadDeps, "db" | "clock">,
  { kind, month, outcome, after }: ListedBenefitsQuery,
  pageRows: number = PAGE_ROWS,
): Promise<ListedBenefits> {
  const asked = month === undefined ? null : parseMonth(month);
  if (month !== undefined && asked === null)
    throw new Problem("invalid", { faults: [{ parameter: "month", detail: "expected a month, as 2026-10" }] });
  const { position } = withoutFaults(readAfter(after, timeUuidCursor));
  const now = deps.clock.now();
  return deps.db.snapshot(async (tx) => {
    const { timeZone } = (await readProgram(tx)).store;
    const last = monthIndex(now, timeZone);
    const from = startOfMonthIndex(asked ?? last - BENEFIT_MONTHS + 1, timeZone);
    const end = startOfMonthIndex((asked ?? last) + 1, timeZone);
    const decided = decidedBefore(now, timeZone);
    const until = outcome === "ordered" && Temporal.Instant.compare(decided, end) < 0 ? decided : end;
    const rows = await selectListedBenefits(tx, { kind, outcome, from, until, after: position, rows: pageRows + 1 });
    return {
      ...pageOf(rows, ({ at, customerUid }) => timeUuidCursor.format({ at, id: customerUid }), pageRows),
      isDecided: ({ at }) => Temporal.Instant.compare(at, decided) < 0,
    };
  });
}
