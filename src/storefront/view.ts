import type { Static } from "typebox";
import type { OpenCoupon } from "../coupons/read-open-coupons.ts";
import type { PreviewedOrder } from "../orders/preview/preview-order.ts";
import { formatMajor } from "../platforms/money.ts";
import { formatInstant } from "../time/store-time.ts";
import type { CustomerScope } from "../wire/access.ts";
import type { cartAnswer, cartBody, redemptionAnswer, summaryAnswer } from "./schema.ts";
import type { Summary } from "./summary.ts";

type SummaryAnswer = Static<typeof summaryAnswer>["data"];

/** A summary as it is sent; the token's `scopes` decide whether redeeming is offered. */
export function summaryView(summary: Summary, scopes: readonly CustomerScope[]): Static<typeof summaryAnswer> {
  const { program, points, expiries, coupons } = summary;
  const { currency, timeZone } = program.store;
  const { pointWorth, lifetimeHours } = program.coupons;
  return {
    data: {
      points,
      worth: moneyView(points * pointWorth, currency),
      time_zone: timeZone,
      expiries: expiries.map(({ expiresAt, points }) => ({ expires_at: formatInstant(expiresAt), points })),
      tier: standingView(summary),
      redemption: scopes.includes("redeem")
        ? { point_worth: moneyView(pointWorth, currency), lifetime_hours: lifetimeHours }
        : null,
      coupons: coupons.map((coupon) => redeemedView(coupon, currency)),
    },
  };
}

/** Null: the program has one tier, which has no meaning for a customer. */
function standingView({ program, tier, advancement, spent }: Summary): SummaryAnswer["tier"] {
  if (program.tiers.rules.length < 2) return null;
  const { currency } = program.store;
  const { next, maintenance, deadline } = advancement;
  const isLost = !tier.isDefault && program.tiers.onMiss !== "never" && maintenance.remaining > 0n;
  return {
    name: tier.name,
    spent: moneyView(spent, currency),
    deadline: formatInstant(deadline),
    next:
      next === null
        ? null
        : {
            name: next.rule.name,
            requirement: moneyView(next.rule.currencySpentRequirement, currency),
            remaining: moneyView(next.remaining, currency),
          },
    to_keep: isLost ? moneyView(maintenance.remaining, currency) : null,
  };
}

export function redeemedView(coupon: OpenCoupon, currency: string): Static<typeof redemptionAnswer>["data"] {
  return {
    code: coupon.code,
    value: moneyView(coupon.currencyValue, currency),
    points: coupon.pointValue,
    expires_at: formatInstant(coupon.expiresAt),
  };
}

/** The points of a cart, one line each in the order in which the page sent them. */
export function cartView({ points, lines }: PreviewedOrder, cart: Static<typeof cartBody>): Static<typeof cartAnswer> {
  const byId = new Map(lines.map(({ line, points }) => [line.lineId, points]));
  return {
    data: {
      points,
      lines: cart.lines.map(({ product_id }, index) => ({
        product_id: String(product_id),
        points: byId.get(String(index + 1)) ?? 0n,
      })),
    },
  };
}

function moneyView(minor: bigint, currency: string) {
  return { amount: formatMajor(minor, currency), currency, raw_amount: Number(minor) };
}
