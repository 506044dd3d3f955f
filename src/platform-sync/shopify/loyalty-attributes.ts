import { createHash } from "node:crypto";
import type { ShownBalance } from "../../ledger/read/read-balances.ts";
import type { Program, Rate } from "../../program/program.ts";
import type { TierRecord } from "../../tiers/read-tier.ts";
import { rateOf } from "../../tiers/tier-rules.ts";
import { customerTierView } from "../../tiers/view.ts";
import { formatInstant } from "../../time/store-time.ts";

/** A rate as themes read it: `percentage` is points per hundred of the currency's smallest units. */
function rateFields({ pointValue, currencyValue }: Rate) {
  return {
    currency_value: Number(currencyValue),
    percentage: (Number(pointValue) / Number(currencyValue)) * 100,
    point_value: Number(pointValue),
  };
}

/**
 * The content of a customer's metafield, as storefront themes read it: balance, tier, the current rate, the next expiry, and what is missing to reach
 * the next tier and to keep the present one. In the highest tier nothing is missing for the next one, and the present tier's uid is given.
 */
export function customerAttributes(
  program: Program,
  now: Temporal.Instant,
  { balance, record }: { readonly balance: ShownBalance; readonly record: TierRecord },
) {
  const { advancement_data, maintenance_data } = customerTierView(record).data;
  const { currency } = advancement_data;
  return {
    balance: Number(balance.points),
    expiration_date: balance.expiresAt === null ? null : formatInstant(balance.expiresAt),
    include_tax: program.earning.includeTax,
    tier: record.tier.name,
    tier_name: record.tier.name,
    tier_uid: record.tier.uid,
    ...rateFields(rateOf(program, record.tier.uid, now)),
    tier_maintenance_data: {
      maintenance_data,
      advancement_data: {
        ...advancement_data,
        spent_requirement: advancement_data.spent_requirement ?? { amount: "0", currency, raw_amount: 0 },
        tier_uid: advancement_data.tier_uid ?? record.tier.uid,
      },
    },
  };
}

/** The content of the shop's metafield: the current default rate and the current rate of each tier. */
export function shopAttributes(program: Program, now: Temporal.Instant) {
  const { rules } = program.tiers;
  const point_rules = Object.fromEntries(
    rules.map((rule) => [
      rule.uid,
      {
        ...rateFields(rateOf(program, rule.uid, now)),
        currency_spent_requirement: Number(rule.currencySpentRequirement),
        free_shipping: false,
        name: rule.name,
      },
    ]),
  );
  const first = rules.find(({ isDefault }) => isDefault) ?? rules[0];
  return { ...rateFields(rateOf(program, first?.uid ?? null, now)), live: true, point_rules };
}

/** SHA-256 of a metafield's text. An unchanged text is not sent again. */
export function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
