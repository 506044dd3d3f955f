import { Type } from "typebox";
import { asOfField } from "../http/as-of-field.ts";
import { customerParam } from "../http/customer-ref.ts";
import { Nullable } from "../http/nullable.ts";
import { pagingFields, pagingMetaSchema } from "../http/paging.ts";

export const tierCustomerParams = Type.Object({ id: customerParam });

export const tierQuery = Type.Object({ as_of: asOfField });

const uid = Type.String({ format: "uuid", examples: ["019ca8e7-91aa-7c55-8f02-6b1d2e3f4a50"] });

const tierRule = Type.Object(
  {
    uid,
    name: Type.String({ examples: ["Silver"] }),
    default: Type.Boolean(),
    currency_spent_requirement: Type.Integer({ description: "To enter the tier, minor units." }),
    point_value: Type.Integer({ description: "Points given per `currency_value`." }),
    currency_value: Type.Integer({ description: "Minor units." }),
    campaign_point_value: Nullable(
      Type.Integer({ description: "While the campaign runs; null: its default rate applies, or there is none." }),
    ),
    campaign_currency_value: Type.Integer({ description: "Minor units, while the campaign runs." }),
  },
  {
    title: "TierRule",
    examples: [
      {
        uid: "019ca8e7-91aa-7c55-8f02-6b1d2e3f4a50",
        name: "Silver",
        default: false,
        currency_spent_requirement: 50000,
        point_value: 2,
        currency_value: 100,
        campaign_point_value: null,
        campaign_currency_value: 100,
      },
    ],
  },
);

export const tierRulesAnswer = Type.Object({ data: Type.Array(tierRule) });

const amount = Type.String({ description: "Major units.", examples: ["38000"] });
const currency = Type.String({ examples: ["JPY"] });
const rawAmount = Type.Integer({ description: "Minor units.", examples: [38000] });
const deadline = Type.String({
  format: "date-time",
  description: "The next check.",
  examples: ["2026-04-01T00:00:00.000000Z"],
});
const money = Type.Object({ amount, currency, raw_amount: rawAmount }, { title: "Money" });
const nullableText = Nullable(Type.String());

const tierProgress = Type.Object(
  {
    amount,
    currency,
    name: Type.String(),
    ratio: Type.Number({ description: "Points per minor unit of currency." }),
    raw_amount: rawAmount,
    spent_requirement: money,
    uid,
  },
  { title: "TierProgress" },
);

const customerTier = Type.Object(
  {
    id: Type.String({ description: "The customer's storefront id." }),
    tier: Type.String({ description: "The present tier's name." }),
    tier_uid: uid,
    minimum_tier: Nullable(Type.String({ description: "No automatic demotion below this tier." })),
    skip_next_check: Type.Boolean(),
    amount,
    currency,
    deadline,
    raw_amount: rawAmount,
    tier_name: Nullable(Type.String({ description: "The next tier up." })),
    advancement_data: Type.Object({
      amount,
      currency,
      deadline,
      raw_amount: rawAmount,
      spent_requirement: Type.Union([money, Type.Null()]),
      tier_name: nullableText,
      tier_uid: nullableText,
      tiers: Type.Array(tierProgress),
    }),
    maintenance_data: Type.Object({ amount, currency, deadline, raw_amount: rawAmount, spent_requirement: money }),
  },
  { title: "CustomerTier", description: "Amounts are what is still to be spent." },
);

export const customerTierAnswer = Type.Object({ data: customerTier });

/** At least one of the three (interface.md 4.10). */
export const tierUpdateBody = Type.Object(
  {
    tier: Type.Optional(Type.String({ description: "A tier's uid or name.", examples: ["Silver"] })),
    minimum_tier: Type.Optional(Nullable(Type.String({ description: "A tier's uid or name; null clears it." }))),
    skip_next_check: Type.Optional(Type.Boolean()),
  },
  { title: "TierUpdate", examples: [{ tier: "Silver", minimum_tier: "Bronze", skip_next_check: true }] },
);

export const tierUpdateAnswer = Type.Object({
  data: Type.Object(
    {
      id: Type.String(),
      tier: Type.String(),
      minimum_tier: nullableText,
      skip_next_check: Type.Boolean(),
    },
    {
      title: "UpdatedTier",
      examples: [{ id: "4567890123", tier: "Silver", minimum_tier: "Bronze", skip_next_check: true }],
    },
  ),
});

export const tierChangesQuery = Type.Object({ page: pagingFields.page, per_page: pagingFields.per_page });

const instant = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-04-01T00:00:00.000000Z"] });

const tierChange = Type.Object(
  {
    changed_at: instant("When the new tier took effect; for a check its scheduled time, however late it ran."),
    from: Nullable(Type.String({ description: "As the tier was called then.", examples: ["Silver"] })),
    from_uid: Nullable(uid),
    to: Nullable(Type.String({ examples: ["Bronze"] })),
    to_uid: Nullable(uid),
    cause: Type.String({ description: "`check`, `program`, `api`, `manual` or `merge`.", examples: ["check"] }),
    spend: Nullable(money),
    check_at: Nullable(instant("The check that decided it.")),
    actor: Nullable(Type.String({ description: "The credential or person that requested it." })),
  },
  { title: "TierChange" },
);

export const tierChangesAnswer = Type.Object({ data: Type.Array(tierChange), meta: pagingMetaSchema });
