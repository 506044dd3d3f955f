import { exponent, formatMajor } from "../platforms/money.ts";
import { formatInstant } from "../time/store-time.ts";
import type { CohortDeferral } from "./deferrals.ts";
import { formatPercent, formatPointPrice } from "./estimate-text.ts";
import { ALL_COHORTS, type Estimate, expectationOf } from "./estimates.ts";
import type { MovementPage } from "./list-movements.ts";
import { monthText } from "./month.ts";
import { LIABILITY_ORIGINS } from "./movement-kind.ts";
import type { Liability } from "./read-liability.ts";
import { lateLines, linesBy, type PointLine, salesOf, totalLine, unpricedOf } from "./report.ts";
import { type Deferral, sumDeferrals } from "./revenue.ts";
import type { LiabilityMovements, LiabilityReport } from "./schema.ts";

export function viewLiability(liability: Liability): LiabilityReport {
  const { month, closed, book, currency, moved } = liability;
  const closing = closed.find((each) => each.month === month);
  const byOrigin = linesBy(liability, ({ origin }) => origin);
  const byCohort = linesBy(liability, ({ cohort }) => cohort);
  return {
    month: monthText(month),
    first_month: monthText(liability.firstMonth),
    last_month: monthText(liability.lastMonth),
    closed_month: book.closedMonth === null ? null : monthText(book.closedMonth),
    closed_at: closing === undefined ? null : formatInstant(closing.closedAt),
    closed_by: closing?.closedBy ?? null,
    ...{ time_zone: liability.timeZone, currency },
    counted_to: book.allottedAt === null ? null : formatInstant(book.allottedAt),
    total: viewPoints(totalLine(liability)),
    origins: LIABILITY_ORIGINS.flatMap((origin) => {
      const line = byOrigin.get(origin);
      return line === undefined ? [] : [{ origin, ...viewPoints(line) }];
    }),
    cohorts: [...byCohort]
      .sort(([a], [b]) => a - b)
      .map(([cohort, line]) => ({ month: monthText(cohort), ...viewPoints(line) })),
    late: lateLines(month, moved).map(({ causeMonth, ...line }) => ({ month: monthText(causeMonth), ...line })),
    revenue: viewRevenue(liability),
    estimates: liability.estimates.map((each) => viewEstimate(each, exponent(currency))),
  };
}

function viewPoints({ opening, moved, closing }: PointLine) {
  return { opening, ...moved, closing };
}

function viewRevenue(liability: Liability): LiabilityReport["revenue"] {
  const { expectation, deferrals, moved, currency, areUnpricedKnown } = liability;
  if (expectation === null) return null;
  const cohortsApart = deferrals.filter(({ state }) => state.isApart).map(({ cohort }) => cohort);
  return {
    expected_redemption: formatPercent(expectation.redemptionBps),
    point_price: formatPointPrice(expectation.pointPriceMillionths, exponent(currency)),
    total: {
      ...viewDeferral(sumDeferrals(deferrals.map(({ deferral }) => deferral)), currency),
      sales: formatMajor(salesOf(moved, null), currency),
      unpriced: areUnpricedKnown ? String(unpricedOf(moved, cohortsApart)) : null,
    },
    cohorts: deferrals.map((each) => viewCohort(each, liability)),
  };
}

function viewCohort({ cohort, deferral, state }: CohortDeferral, liability: Liability) {
  const { currency, estimates, month, moved, areUnpricedKnown } = liability;
  return {
    month: monthText(cohort),
    ...viewDeferral(deferral, currency),
    sales: formatMajor(salesOf(moved, cohort), currency),
    unpriced: areUnpricedKnown ? String(unpricedOf(moved, state.isApart ? [cohort] : [])) : null,
    allocated: formatMajor(state.allocated, currency),
    recognised: formatMajor(state.recognised, currency),
    expected_redemption: formatPercent(expectationOf(estimates, cohort, month)?.redemptionBps ?? 0),
  };
}

function viewDeferral(deferral: Deferral, currency: string) {
  const of = (line: keyof Deferral) => formatMajor(deferral[line], currency);
  return {
    ...{ opening: of("opening"), additions: of("additions"), taken_back: of("takenBack") },
    ...{ redemption: of("redemption"), breakage: of("breakage"), reestimate: of("reestimate"), closing: of("closing") },
  };
}

function viewEstimate({ month, cohort, redemptionBps, pointPriceMillionths, setAt, setBy }: Estimate, places: number) {
  return {
    month: monthText(month),
    cohort: cohort === ALL_COHORTS ? null : monthText(cohort),
    redemption: formatPercent(redemptionBps),
    point_price: pointPriceMillionths === null ? null : formatPointPrice(pointPriceMillionths, places),
    set_at: formatInstant(setAt),
    set_by: setBy,
  };
}

export function viewMovements({ rows, nextCursor, currency }: MovementPage): LiabilityMovements {
  return {
    data: rows.map(({ uid, allottedAt, type, customerId, points, money }) => ({
      ...{ uid, allotted_at: formatInstant(allottedAt), type, storefront_id: customerId, points },
      sales: money === null ? null : formatMajor(money, currency),
    })),
    meta: { next_cursor: nextCursor },
  };
}
