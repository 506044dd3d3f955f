import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { MONTH_PATTERN } from "../../liability/month.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const count = Type.Integer();
const minor = Type.Integer({ description: "Minor units of the store's currency." });

const buyers = Type.Object({ orders: count, revenue_minor: minor });
const buyersMonth = Type.Object({
  from: Type.String({ description: "The month's first day." }),
  to: Type.String({ description: "The month's last day." }),
  customers: buyers,
  guests: buyers,
});
export const guestsAnswer = Type.Object({
  data: Type.Array(buyersMonth, { description: "The newest month first." }),
  counted_at: Nullable(text),
});

const countedAt = Nullable(
  Type.String({ description: "How far customers are counted; null: they are being counted for the first time." }),
);
const month = Type.String({ description: "2026-03" });

const growthMonth = Type.Object({
  month,
  joined: count,
  first_ordered: Type.Integer({ description: "Customers whose first order was in it." }),
  lapsed: Type.Integer({ description: "Customers who began to lapse in it, and have not ordered since." }),
});
export const growthAnswer = Type.Object({
  data: Type.Object({
    months: Type.Array(growthMonth, { description: "The newest first." }),
    customers: Type.Object({
      all: count,
      active: count,
      lapsing: count,
      once: Type.Integer({ description: "With one order: neither active nor lapsing." }),
      never: count,
    }),
  }),
  counted_at: countedAt,
});

const points = Type.Integer();
const joinMonth = Type.Object({
  month: Nullable(Type.String({ description: "In which they joined; null: all months before the others." })),
  customers: count,
  ordered: count,
  reordered: Type.Integer({ description: "With two orders or more." }),
  given: points,
  used: points,
  expired: points,
  adjusted: Type.Integer({ description: "By staff, files, merges and deletions; signed." }),
  kept: Type.Integer({ description: "What they have now: given, less used and expired, and adjusted." }),
});
export const joinMonthsAnswer = Type.Object({
  data: Type.Array(joinMonth, { description: "The newest month first." }),
  counted_at: countedAt,
});

const tierMonth = Type.Object({
  month,
  customers: Type.Array(count, { description: "At its end, in the order of the tiers." }),
  up: count,
  down: count,
  kept: Type.Integer({ description: "Who began and ended it in the same tier above the default one." }),
  kept_by_tier: Type.Array(count, { description: "The same by tier, in the order of the tiers." }),
});
export const tiersOverTimeAnswer = Type.Object({
  data: Type.Array(tierMonth, { description: "The newest first." }),
  tiers: Type.Array(Type.Object({ uid: text, name: text }), { description: "The lowest first." }),
  counted_at: countedAt,
});

const monthAsked = Type.String({ pattern: MONTH_PATTERN, expected: "a month, such as 2026-03" });
export const movesQuery = Type.Object({
  month: monthAsked,
  direction: Type.Enum(["up", "down"]),
  from: Type.Optional(Type.String({ format: "uuid", description: "Only from this tier: the `from_uid` of a pair." })),
  to: Type.Optional(Type.String({ format: "uuid", description: "Only to this tier." })),
  after: Type.Optional(Type.String({ maxLength: 300, description: "The `next` of a page." })),
});
const pair = {
  from: Nullable(Type.String({ description: "The tier at the start of the month; null: they joined in it." })),
  to: Type.String({ description: "The tier at its end." }),
};
const moved = Type.Object({ customer: namedCustomer, ...pair, month });
export const movesAnswer = Type.Object({
  data: Type.Array(moved),
  next: Nullable(text),
  pairs: Type.Array(Type.Object({ ...pair, from_uid: text, to_uid: text, customers: count }), {
    description: "What the month's figure is made of, the most first.",
  }),
});

export const staysQuery = Type.Object({
  month: monthAsked,
  figure: Type.Enum(["members", "kept"]),
  tier: Type.Optional(Type.String({ format: "uuid", description: "Only of this tier." })),
  after: Type.Optional(Type.String({ maxLength: 300, description: "The `next` of a page." })),
});
const stay = Type.Object({
  customer: namedCustomer,
  tier: Type.String({ description: "At the end of the month." }),
  since: Type.String({ description: "The month in which they came into it: 2026-03" }),
  now: Type.String({ description: "The tier in which they are now." }),
  month,
});
export const staysAnswer = Type.Object({ data: Type.Array(stay), next: Nullable(text) });

export type StaysQuery = Static<typeof staysQuery>;
export type StaysAnswer = Static<typeof staysAnswer>;
export type StayRow = Static<typeof stay>;
export type MovesQuery = Static<typeof movesQuery>;
export type MovesAnswer = Static<typeof movesAnswer>;
export type MovedCustomerRow = Static<typeof moved>;
export type GrowthAnswer = Static<typeof growthAnswer>;
export type GrowthMonthRow = Static<typeof growthMonth>;
export type JoinMonthsAnswer = Static<typeof joinMonthsAnswer>;
export type JoinMonthRow = Static<typeof joinMonth>;
export type TiersOverTimeAnswer = Static<typeof tiersOverTimeAnswer>;
export type TierMonthRow = Static<typeof tierMonth>;
export type GuestsAnswer = Static<typeof guestsAnswer>;
export type BuyersMonthRow = Static<typeof buyersMonth>;
