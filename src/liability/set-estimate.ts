import type { Deps } from "../deps.ts";
import { exponent } from "../platforms/money.ts";
import { type Fault, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { lockBook } from "./book-queries.ts";
import { parsePercent, parsePointPrice } from "./estimate-text.ts";
import { ALL_COHORTS, type Estimate } from "./estimates.ts";
import { monthText, parseMonth } from "./month.ts";
import { upsertEstimate } from "./report-queries.ts";

/** The input of an estimate: `month` and `cohort` are `2026-10`, decimals are text. */
export interface EstimateInput {
  readonly month: string;
  /** The month of issue that the estimate is for; absent: all of them. */
  readonly cohort?: string | undefined;
  /** Percent with at most two decimal places. */
  readonly redemption: string;
  /** In major units of the store's currency; only in an estimate for all months of issue. */
  readonly point_price?: string | undefined;
}

/** Sets the expectation from a month on and replaces an earlier one for the same month. Throws `invalid`, which lists every fault. */
export async function setEstimate(deps: Deps, input: EstimateInput, setBy: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    const { closedMonth } = await lockBook(tx);
    const { store } = await readProgram(tx);
    const setAt = deps.clock.now();
    await upsertEstimate(tx, deps.random.uid(), {
      ...readEstimate(input, closedMonth, exponent(store.currency)),
      setAt,
      setBy,
    });
  });
}

function readEstimate(
  input: EstimateInput,
  closedMonth: number | null,
  places: number,
): Omit<Estimate, "setAt" | "setBy"> {
  const month = parseMonth(input.month);
  const cohort = input.cohort === undefined ? ALL_COHORTS : parseMonth(input.cohort);
  const redemptionBps = parsePercent(input.redemption);
  const price = input.point_price === undefined ? null : parsePointPrice(input.point_price, places);
  const faults: Fault[] = [];
  if (month === null) faults.push({ pointer: "/month", detail: "expected a month, as 2026-10" });
  else if (closedMonth !== null && month <= closedMonth) {
    const detail = `expected a month after ${monthText(closedMonth)}, the last that is closed`;
    faults.push({ pointer: "/month", detail });
  }
  if (cohort === null) faults.push({ pointer: "/cohort", detail: "expected a month, as 2026-10" });
  if (redemptionBps === null) {
    const detail = "expected percent from 0.01 to 100 with at most two digits behind the point";
    faults.push({ pointer: "/redemption", detail });
  }
  const hasPrice = input.point_price !== undefined;
  if (hasPrice !== (input.cohort === undefined)) {
    const detail = hasPrice ? "expected no price for one month of issue" : "expected the stand-alone price of a point";
    faults.push({ pointer: "/point_price", detail });
  } else if (hasPrice && price === null) {
    const detail = `expected an amount above 0 with at most ${places + 6} digits behind the point`;
    faults.push({ pointer: "/point_price", detail });
  }
  if (faults.length > 0 || month === null || cohort === null || redemptionBps === null) {
    throw new Problem("invalid", { faults });
  }
  return { month, cohort, redemptionBps, pointPriceMillionths: price };
}
