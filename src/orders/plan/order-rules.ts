import {
  big,
  flagCodec,
  integerCodec,
  listCodec,
  mapOf,
  nullableCodec,
  oneOfCodec,
  record,
  textCodec,
  withDefault,
} from "../../db/json-codec.ts";
import type { Program, Rate, TierRule } from "../../program/program.ts";
import type { StoredFacts } from "../facts/order-facts.ts";

/** Product data that order bodies lack. */
export interface ProductFacts {
  readonly tags: readonly string[];
  readonly collections: readonly string[];
  /** The one of them that is unknown, and empty here. An order that has not awarded yet uses it if it becomes known. Absent: both stay. */
  readonly open?: "tags" | "collections";
}

/** Everything from the program and other data that one order's points depend on, as of its processed time. */
export interface OrderRules {
  readonly programVersion: number;
  readonly currency: string;
  readonly timeZone: string;
  readonly tier: { readonly uid: string; readonly name: string };
  /** The campaign's rate if one was running, otherwise the tier's. */
  readonly rate: Rate;
  readonly campaign: string | null;
  /** Active bonuses, by collection. */
  readonly bonuses: ReadonlyMap<string, Rate>;
  readonly rounding: Program["earning"]["rounding"];
  readonly includeTax: boolean;
  readonly separateTax: boolean;
  readonly awardOn: Program["earning"]["awardOn"];
  readonly pendingDays: number;
  /** In lower case. */
  readonly excludedProductTags: readonly string[];
  /** Whether the customer had one of the excluded customer tags. */
  readonly isCustomerExcluded: boolean;
  /** The part of the order that was imported from another app and does not count again. */
  readonly movedIn: MovedIn;
  readonly spendAt: Program["tiers"]["spendAt"];
  readonly shortfall: Program["refunds"]["shortfall"];
  readonly reimburseCouponsOnPartial: boolean;
  /** The value of a point as a coupon, in minor units. */
  readonly pointWorth: bigint;
  /** What was known about each product when the order first named it; null: nothing. */
  readonly products: ReadonlyMap<string, ProductFacts | null>;
}

/** Whether a file of another app contains an order's points, and its spend toward tiers. */
export interface MovedIn {
  readonly points: boolean;
  readonly spend: boolean;
}

export const NOT_MOVED_IN: MovedIn = { points: false, spend: false };

/**
 * Returns the rules of one order (program.md 4, Snapshot), which are taken once and stored with it. `program` and `tier` are those valid at
 * `processedAt`; `customerTags` may be in any case.
 */
export function snapshotRules(
  program: Program,
  tier: TierRule,
  processedAt: Temporal.Instant,
  customerTags: readonly string[],
): OrderRules {
  const { earning } = program;
  const campaign = program.campaigns.find((c) => isWithin(processedAt, c.startsAt, c.endsAt));
  const excluded = new Set(lowerCase(earning.excludedCustomerTags));
  return {
    programVersion: program.version,
    currency: program.store.currency,
    timeZone: program.store.timeZone,
    tier: { uid: tier.uid, name: tier.name },
    rate: plainRate(campaign ? (campaign.byTier.get(tier.uid) ?? campaign.rate) : tier),
    campaign: campaign?.name ?? null,
    bonuses: activeBonuses(program, processedAt),
    rounding: earning.rounding,
    includeTax: earning.includeTax,
    separateTax: earning.separateTax,
    awardOn: earning.awardOn,
    pendingDays: earning.pendingDays,
    excludedProductTags: lowerCase(earning.excludedProductTags),
    isCustomerExcluded: lowerCase(customerTags).some((tag) => excluded.has(tag)),
    movedIn: NOT_MOVED_IN,
    spendAt: program.tiers.spendAt,
    shortfall: program.refunds.shortfall,
    reimburseCouponsOnPartial: program.refunds.reimburseCouponsOnPartial,
    pointWorth: program.coupons.pointWorth,
    products: new Map(),
  };
}

/** Whether more than the order has pinned of a product may still count. */
export function isProductOpen({ products }: Pick<OrderRules, "products">, productId: string): boolean {
  return !products.has(productId) || products.get(productId)?.open !== undefined;
}

/**
 * Returns the rules with what is known about products that the order names for the first time, and with tags or collections that were unknown then.
 * What was known first stays: later changes do not affect a placed order. Returns the same object if nothing is new.
 */
export function pinProducts(
  rules: OrderRules,
  facts: StoredFacts,
  products: ReadonlyMap<string, ProductFacts>,
): OrderRules {
  const named = (facts.stated.lines ?? []).flatMap((line) => (line.productId === null ? [] : [line.productId]));
  const open = named.filter((id) => isProductOpen(rules, id)).sort();
  if (open.length === 0) return rules;
  const pinned = open.map((id) => [id, filled(rules.products.get(id) ?? null, products.get(id) ?? null)] as const);
  return { ...rules, products: new Map([...rules.products, ...pinned]) };
}

/** Returns what was known first about a product, and what is known now of the rest. */
function filled(first: ProductFacts | null, now: ProductFacts | null): ProductFacts | null {
  if (first?.open === undefined || now === null || now.open === first.open) return first ?? now;
  return { tags: first.tags, collections: first.collections, [first.open]: now[first.open] };
}

/** Returns the rules of an order that awards: what is unknown of its products counts as unknown from now on. */
export function closeProducts(rules: OrderRules): OrderRules {
  const closed = ({ tags, collections }: ProductFacts) => ({ tags, collections });
  const products = [...rules.products].map(([id, known]) => [id, known === null ? null : closed(known)] as const);
  return { ...rules, products: new Map(products) };
}

/** Returns the rules without the products of which nothing is known, except those that were pinned `before`. */
export function withoutUnknown(rules: OrderRules, before: OrderRules): OrderRules {
  const isKept = (id: string, known: ProductFacts | null) => known !== null || before.products.has(id);
  return { ...rules, products: new Map([...rules.products].filter(([id, known]) => isKept(id, known))) };
}

function activeBonuses(program: Program, at: Temporal.Instant): ReadonlyMap<string, Rate> {
  const best = new Map<string, Rate>();
  for (const bonus of program.earning.bonusCollections) {
    if (!isWithin(at, bonus.startsAt, bonus.endsAt)) continue;
    const other = best.get(bonus.collectionId);
    if (other === undefined || isBetterRate(bonus, other)) best.set(bonus.collectionId, plainRate(bonus));
  }
  return best;
}

export function isBetterRate(a: Rate, b: Rate): boolean {
  return a.pointValue * b.currencyValue > b.pointValue * a.currencyValue;
}

/** From the start on, excluding the end. */
function isWithin(at: Temporal.Instant, startsAt: Temporal.Instant | null, endsAt: Temporal.Instant | null): boolean {
  const hasStarted = startsAt === null || Temporal.Instant.compare(at, startsAt) >= 0;
  return hasStarted && (endsAt === null || Temporal.Instant.compare(at, endsAt) < 0);
}

function plainRate({ pointValue, currencyValue }: Rate): Rate {
  return { pointValue, currencyValue };
}

function lowerCase(tags: readonly string[]): readonly string[] {
  return tags.map((tag) => tag.trim().toLowerCase());
}

const rate = record<Rate>({ pointValue: big, currencyValue: big });

const productFacts = record<ProductFacts>(
  { tags: listCodec(textCodec), collections: listCodec(textCodec), open: oneOfCodec("tags", "collections") },
  ["open"],
);

/**
 * Each order keeps its rules: an order from an older release lacks newer settings. A new setting must be written here with `withDefault`;
 * its default is the behaviour before the service had the setting.
 */
const orderRules = record<OrderRules>({
  programVersion: integerCodec,
  currency: textCodec,
  timeZone: textCodec,
  tier: record<OrderRules["tier"]>({ uid: textCodec, name: textCodec }),
  rate,
  campaign: withDefault(nullableCodec(textCodec), null),
  bonuses: withDefault(mapOf(rate), new Map()),
  rounding: oneOfCodec("up", "down", "half_up"),
  includeTax: flagCodec,
  separateTax: withDefault(flagCodec, false),
  awardOn: oneOfCodec("paid_and_fulfilled", "paid"),
  pendingDays: withDefault(integerCodec, 0),
  excludedProductTags: withDefault(listCodec(textCodec), []),
  isCustomerExcluded: withDefault(flagCodec, false),
  movedIn: withDefault(record<MovedIn>({ points: flagCodec, spend: flagCodec }), NOT_MOVED_IN),
  spendAt: oneOfCodec("fulfilled", "paid", "processed"),
  shortfall: oneOfCodec("cap", "owe", "refuse"),
  reimburseCouponsOnPartial: flagCodec,
  pointWorth: big,
  products: mapOf(nullableCodec(productFacts)),
});

/** Returns the rules as a value for a jsonb column. */
export function encodeRules(rules: OrderRules): unknown {
  return orderRules.encode(rules);
}

/** Returns the rules from the form that `encodeRules` of this or another release wrote; throws TypeError for anything else. */
export function decodeRules(stored: unknown): OrderRules {
  return orderRules.decode(stored);
}
