import type { Static } from "typebox";
import type { Rate } from "../../program/program.ts";
import { formatInstant } from "../../time/store-time.ts";
import { plus } from "../plan/fraction.ts";
import type { OrderRules } from "../plan/order-rules.ts";
import { addPoints } from "../plan/order-target.ts";
import { fractionText, type LineBreakdown } from "./preview-breakdown.ts";
import type { PreviewedOrder } from "./preview-order.ts";
import type { previewAnswer } from "./schema.ts";

export function viewPreview(preview: PreviewedOrder): Static<typeof previewAnswer> {
  return {
    data: {
      customer_id: preview.customer?.storefrontId ?? null,
      processed_at: formatInstant(preview.processedAt),
      points: preview.points,
      ...viewRules(preview.rules),
      lines: preview.lines.map((line) => ({ ...viewBreakdown(line), points: line.points })),
    },
  };
}

/** Returns the shown part of an order's rules' snapshot. */
export function viewRules(rules: OrderRules) {
  return {
    program_version: rules.programVersion,
    currency: rules.currency,
    tier: rules.tier,
    rate: viewRate(rules.rate),
    rate_origin: rules.campaign === null ? "tier" : "campaign",
    campaign: rules.campaign,
    rounding: rules.rounding,
    include_tax: rules.includeTax,
  };
}

export function viewBreakdown(line: LineBreakdown) {
  const { byRate, byBonus } = addPoints(line.goodsPoints, line.taxPoints);
  return {
    line_id: line.line.lineId,
    title: line.line.title,
    quantity: line.line.quantity,
    gross: line.gross,
    discount: line.gross - line.net,
    tax: line.line.tax.minor,
    base: line.goods + line.tax,
    left: fractionText(line.left),
    rate: line.rate === null ? null : viewRate(line.rate),
    bonus: line.bonus === null ? null : viewRate(line.bonus),
    points_exact: fractionText(plus(byRate, byBonus)),
    excluded_by: line.excludedBy,
  };
}

function viewRate({ pointValue, currencyValue }: Rate) {
  return { point_value: pointValue, currency_value: currencyValue };
}
