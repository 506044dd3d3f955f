import fc from "fast-check";
import type { Kind, Product } from "./order.ts";
import type { Program, Rate } from "./program-model.ts";

/** What may happen in a life: the choices of fast-check, small numbers that the story makes into events. */

export interface LineChoice {
  readonly kind: Kind;
  readonly product: number | null;
  /** In hundredths of a minor unit. */
  readonly price: bigint;
  /** In halves. */
  readonly halves: bigint;
  /** Parts of the price, in percent. */
  readonly discount: bigint;
  readonly tax: bigint;
  readonly isDownload: boolean;
}

export interface Placed {
  readonly do: "place";
  readonly who: number;
  readonly by: "id" | "email";
  readonly lines: readonly LineChoice[];
  readonly taxesIncluded: boolean;
  readonly isPaid: boolean;
  readonly isTest: boolean;
  readonly isForeign: boolean;
  /** Hours between the order and the event that states it. */
  readonly late: number;
  /** In percent of the goods; null: none. */
  readonly discount: bigint | null;
  /** The customer whose points it costs, so many of a hundred; whether the lines state what it took. */
  readonly coupon: { readonly who: number; readonly part: bigint; readonly isOnLines: boolean } | null;
}

export interface Refunded {
  readonly do: "refund";
  readonly order: number;
  /** Units of lines, in halves. */
  readonly lines: readonly { readonly line: number; readonly halves: bigint }[];
  readonly money: "lines" | "less" | "more" | "none" | "unknown";
  readonly percent: bigint;
  readonly shipping: bigint;
  readonly isReturn: boolean;
}

export type Action =
  | Placed
  | Refunded
  | { readonly do: "pay" | "void" | "cancel" | "fulfilled" | "unfulfilled" | "again"; readonly order: number }
  | { readonly do: "ship"; readonly order: number; readonly halves: readonly bigint[]; readonly late: number }
  | { readonly do: "unship"; readonly order: number; readonly which: number }
  | {
      readonly do: "edit";
      readonly order: number;
      readonly line: number;
      readonly change: "remove" | "price" | "add";
      readonly halves: bigint;
    }
  | { readonly do: "move"; readonly order: number; readonly who: number }
  | { readonly do: "earn" | "spend"; readonly who: number; readonly points: bigint }
  | { readonly do: "tier"; readonly who: number; readonly rank: number }
  | { readonly do: "join" }
  | { readonly do: "pass"; readonly hours: number };

/** The products of a store: plain, excluded, in each collection, in both. */
export const PRODUCTS: readonly Product[] = [
  { isExcluded: false, collections: [false, false] },
  { isExcluded: true, collections: [true, false] },
  { isExcluded: false, collections: [true, false] },
  { isExcluded: false, collections: [false, true] },
  { isExcluded: false, collections: [true, true] },
];

const int = (min: number, max: number) => fc.integer({ min, max });
const big = (min: bigint, max: bigint) => fc.bigInt(min, max);
const rate: fc.Arbitrary<Rate> = fc.record({
  points: fc.oneof({ weight: 9, arbitrary: big(1n, 7n) }, { weight: 1, arbitrary: fc.constant(0n) }),
  minor: fc.constantFrom(1n, 3n, 30n, 70n, 100n, 150n),
});
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 2 });

export const programs: fc.Arbitrary<Program> = fc.record({
  currency: fc.constantFrom("JPY", "USD", "BHD"),
  rounding: fc.constantFrom("up", "down", "half_up"),
  includeTax: fc.boolean(),
  separateTax: fc.boolean(),
  awardOn: fc.constantFrom("paid_and_fulfilled", "paid_and_fulfilled", "paid"),
  pendingDays: fc.constantFrom(0, 0, 0, 2),
  spendAt: fc.constantFrom("fulfilled", "paid", "processed"),
  shortfall: fc.constantFrom("cap", "owe", "refuse"),
  reimbursesParts: fc.boolean(),
  pointWorth: fc.constantFrom(1n, 1n, 3n),
  excludesStaff: fc.boolean(),
  base: rate,
  tiers: fc.tuple(maybe(rate), maybe(rate), maybe(rate)),
  campaign: maybe(fc.record({ rate, byRank: fc.tuple(maybe(rate), maybe(rate), maybe(rate)) })),
  bonuses: fc.tuple(maybe(rate), maybe(rate)),
} as const);

const line: fc.Arbitrary<LineChoice> = fc.record({
  kind: fc.constantFrom("product", "product", "product", "product", "custom", "gift_card", "tip", "fee"),
  product: fc.option(fc.nat(PRODUCTS.length - 1), { freq: 3 }),
  price: fc.oneof(
    big(0n, 3_000n).map((whole) => whole * 100n),
    big(0n, 300_000n),
    big(0n, 900n),
  ),
  halves: fc.constantFrom(2n, 2n, 2n, 4n, 6n, 6n, 3n, 5n),
  discount: fc.constantFrom(0n, 0n, 0n, 10n, 33n, 100n),
  tax: fc.constantFrom(0n, 8n, 10n, 20n, 120n),
  isDownload: fc.constantFrom(false, false, false, false, true),
} as const);

/** Mostly one of the three, so that what happens to one has to do with the other. */
const buyer = fc.constantFrom(0, 0, 0, 1, 2);

const place: fc.Arbitrary<Placed> = fc.record({
  do: fc.constant("place"),
  who: buyer,
  by: fc.constantFrom("id", "id", "email"),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  taxesIncluded: fc.boolean(),
  isPaid: fc.constantFrom(true, true, true, false),
  isTest: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
  isForeign: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
  late: fc.constantFrom(0, 0, 0, 5, 30),
  discount: fc.constantFrom(null, null, null, 7n, 50n, 100n),
  coupon: maybe(fc.record({ who: buyer, part: big(1n, 100n), isOnLines: fc.boolean() })),
} as const);

const order = fc.nat(2);
const who = buyer;
const halves = fc.constantFrom(0n, 1n, 2n, 4n, 6n, 6n, 6n);

const refund: fc.Arbitrary<Refunded> = fc.record({
  do: fc.constant("refund"),
  order,
  lines: fc.array(fc.record({ line: fc.nat(3), halves: fc.constantFrom(1n, 2n, 2n, 4n) }), { maxLength: 2 }),
  money: fc.constantFrom("lines", "lines", "less", "more", "none", "unknown"),
  percent: big(1n, 99n),
  shipping: fc.constantFrom(0n, 0n, 500n),
  isReturn: fc.boolean(),
} as const);

const one = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);

/** An order that earns, whose points are given and spent: the refund of a part of its first line finds too few. */
const short: fc.Arbitrary<readonly Action[]> = fc
  .tuple(place, line, big(100_000n, 300_000n), refund, fc.constantFrom(1n, 2n, 4n))
  .map(([placed, extra, price, back, halves]) => {
    const [order, who] = [0, 0];
    const sold = { ...extra, kind: "product", product: null, price, halves: 6n, discount: 0n } as const;
    const states = { by: "id", isTest: false, isForeign: false, discount: null, coupon: null } as const;
    return [
      { ...placed, ...states, who, lines: [sold, ...placed.lines.slice(1)] },
      { do: "pay", order },
      { do: "fulfilled", order },
      { do: "pass", hours: 48 },
      { do: "spend", who, points: 100n },
      { ...back, order, lines: [{ line: 0, halves }], money: back.money === "unknown" ? "unknown" : "lines" },
    ];
  });

type Weighted = fc.WeightedArbitrary<Action>;

/** What events say of orders. */
const ofOrders: readonly Weighted[] = [
  { weight: 8, arbitrary: refund },
  {
    weight: 12,
    arbitrary: fc.record({
      do: one("ship"),
      order,
      halves: fc.array(halves, { minLength: 4, maxLength: 4 }),
      late: fc.constantFrom(0, 0, 40),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: one("pay", "pay", "pay", "void", "cancel", "fulfilled", "fulfilled", "fulfilled", "unfulfilled", "again"),
      order,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: one("unship"), order, which: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one("edit"),
      order,
      line: fc.nat(3),
      change: one("remove", "price", "add"),
      halves: fc.constantFrom(1n, 2n, 3n),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: one("move"), order, who }) },
  { weight: 1, arbitrary: fc.record({ do: one("join") }) },
  { weight: 2, arbitrary: fc.record({ do: one("pass"), hours: int(1, 60) }) },
];

const ofCustomers: readonly Weighted[] = [
  {
    weight: 6,
    arbitrary: fc.record({
      do: one("earn", "spend", "spend"),
      who,
      points: fc.constantFrom(100n, 100n, 100n, 60n, 7n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("tier"), who, rank: fc.nat(2) }) },
];

const many = { minLength: 1, maxLength: 25, size: "max" } as const;

export const actions: fc.Arbitrary<readonly Action[]> = fc
  .tuple(
    fc.oneof(short, fc.tuple(place)),
    fc.array(fc.oneof({ weight: 3, arbitrary: place }, ...ofOrders, ...ofCustomers), many),
  )
  .map(([first, rest]) => [...first, ...rest]);

/** Orders without coupons and what happens to them: their events come to the same points in any order. */
export const orderedActions: fc.Arbitrary<readonly Action[]> = fc
  .tuple(fc.array(place, { minLength: 1, maxLength: 3, size: "max" }), fc.array(fc.oneof(...ofOrders), many))
  .map(([places, rest]) => [...places.map((placed) => ({ ...placed, coupon: null })), ...rest]);
