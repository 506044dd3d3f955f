import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { MONTH_PATTERN } from "../../liability/month.ts";
import { BENEFIT_KINDS, BENEFIT_OUTCOMES } from "../../wire/benefits.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const count = Type.Integer();
const minor = Type.Integer({ description: "Minor units of the store's currency." });

export const resultsQuery = Type.Object({
  kind: Type.Optional(Type.Enum(["campaign", "bonus"])),
  after: Type.Optional(Type.String({ maxLength: 10, pattern: "^\\d{1,6}$", description: "The `next` of a page." })),
});
export const resultParams = Type.Object({ id: Type.String({ pattern: "^[0-9a-f]{32}$" }) });

const before = Type.Object({
  from: text,
  to: text,
  weeks: Type.Integer({ description: "By how many weeks it is earlier: the same weekdays and times." }),
  orders: count,
  revenue_minor: minor,
  points: count,
  campaign_orders: Type.Integer({
    description: "Of these, orders of another campaign: more than 0 makes them a poor measure.",
  }),
});

const runFields = {
  id: text,
  kind: Type.Enum(["campaign", "bonus"]),
  name: Type.String({ description: "Of a bonus without a name: the id of its collection." }),
  collection_id: Nullable(Type.String({ description: "Null: a campaign." })),
  starts_at: Nullable(text),
  ends_at: Nullable(text),
  state: Type.Enum(["planned", "running", "past"]),
  is_in_program: Type.Boolean(),
  orders: count,
  customers: Type.Integer({ description: "Members reached: those with such an order." }),
  revenue_minor: minor,
  points: count,
  cost_minor: Type.Integer({ description: "The points by what a coupon gives for one." }),
  extra_points: Type.Integer({ description: "Of the points, those that the run alone gave." }),
  extra_cost_minor: minor,
  before: Type.Unsafe<Static<typeof before> | null>({ ...before, type: ["object", "null"] }),
};
const run = Type.Object(runFields);

const tier = Type.Object({
  uid: text,
  name: Nullable(Type.String({ description: "Null: the program has it no more." })),
  orders: count,
  customers: count,
  revenue_minor: minor,
  points: count,
  extra_points: count,
});

export const resultsAnswer = Type.Object({
  data: Type.Array(run),
  next: Nullable(text),
  counted_at: Nullable(
    Type.String({ description: "How far orders are counted; null: they are being counted for the first time." }),
  ),
});
export const resultAnswer = Type.Object({ data: Type.Object({ ...runFields, tiers: Type.Array(tier) }) });

const benefitMonth = Type.Object({
  month: Type.String({ description: "2026-03: in which they were given." }),
  benefits: Type.Integer({ description: "Coupons that were taken, or rewards." }),
  points: count,
  returned: Type.Integer({ description: "Of the points, those of coupons that came back since." }),
  cost_minor: Type.Integer({ description: "The points that did not come back, by what a coupon gives for one." }),
  used: Type.Integer({ description: "Coupons that an order used." }),
  over: Type.Integer({ description: "Those that were given 30 days ago or earlier." }),
  ordered: Type.Integer({ description: "Of these: whose member placed an order within 30 days." }),
});
export const benefitsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Type.Enum([...BENEFIT_KINDS]),
      months: Type.Array(benefitMonth, { description: "The newest first." }),
    }),
  ),
  counted_at: Nullable(text),
});

export const listedBenefitsQuery = Type.Object({
  kind: Type.Enum([...BENEFIT_KINDS]),
  month: Type.Optional(
    Type.String({
      pattern: MONTH_PATTERN,
      expected: "a month, such as 2026-03",
      description: "In which they were given; absent: the last 12.",
    }),
  ),
  outcome: Type.Optional(Type.Enum([...BENEFIT_OUTCOMES])),
  after: Type.Optional(Type.String({ maxLength: 200, description: "The `next` of a page." })),
});
const listedBenefit = Type.Object({
  uid: Type.String({ description: "Names the row in its list." }),
  at: text,
  customer: Type.Unsafe<Static<typeof namedCustomer> | null>({ ...namedCustomer, type: ["object", "null"] }),
  points: count,
  is_used: Type.Boolean({ description: "Whether an order used the coupon." }),
  has_order: Nullable(
    Type.Boolean({
      description: "Whether the customer ordered within 30 days; null: not yet, and there is still time.",
    }),
  ),
});
export const listedBenefitsAnswer = Type.Object({ data: Type.Array(listedBenefit), next: Nullable(text) });

export type ListedBenefitsQuery = Static<typeof listedBenefitsQuery>;
export type ListedBenefitsAnswer = Static<typeof listedBenefitsAnswer>;
export type ListedBenefitRow = Static<typeof listedBenefit>;
export type BenefitsAnswer = Static<typeof benefitsAnswer>;
export type BenefitMonthRow = Static<typeof benefitMonth>;
export type ResultsPage = Static<typeof resultsAnswer>;
export type ResultRow = Static<typeof run>;
export type ResultAnswer = Static<typeof resultAnswer>;
export type ResultTier = Static<typeof tier>;
