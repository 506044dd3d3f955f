import {
  type Codec,
  flagCodec,
  instant,
  listCodec,
  mapOf,
  nullableCodec,
  oneOfCodec,
  record,
  textCodec,
} from "../db/json-codec.ts";
import type {
  FinancialStatus,
  FulfillmentFact,
  Money,
  OrderFacts,
  OrderLine,
  RefundFact,
} from "../platforms/neutral-events.ts";
import { linesWithDiscount } from "../platforms/order-sums.ts";
import { fulfillment, money, orderLine, refund } from "./order-facts-codecs.ts";

/** What newer versions of an order's body replace, each field by itself: an absent one was never said. */
export type StatedFields = Pick<
  OrderFacts,
  | "orderName"
  | "customerId"
  | "email"
  | "createdAt"
  | "processedAt"
  | "updatedAt"
  | "financialStatus"
  | "fulfillmentStatus"
  | "isFulfilledWhole"
  | "shopCurrency"
  | "presentmentCurrency"
  | "taxesIncluded"
  | "subtotal"
  | "discountTotal"
  | "goodsDiscount"
  | "shippingTotal"
  | "taxTotal"
  | "tipTotal"
  | "total"
  | "outstanding"
  | "lines"
  | "channel"
  | "tags"
>;

/** A use of a code by the order. Once stated it never goes away. */
export interface CodeUse {
  /** Lower case. */
  readonly code: string;
  /** Taken by this code alone; null: not known. */
  readonly amount: Money | null;
  /** Version of the event that said so; null: it had none. */
  readonly version: Temporal.Instant | null;
}

/** All that is known of one order, whatever the order in which its events came (platforms.md 4.3). */
export interface StoredFacts {
  readonly orderId: string;
  /** A test order or sample delivery once, a test order for ever. */
  readonly test: boolean;
  readonly stated: StatedFields;
  /** Version of each field of `stated`, by its name; absent: the event that said it had none. */
  readonly versions: ReadonlyMap<string, Temporal.Instant>;
  /** The earliest time at which an event showed it paid in full. */
  readonly paidAt: Temporal.Instant | null;
  /** The earliest time at which an event showed it fulfilled whole, without naming fulfilments; absent: none did. */
  readonly fulfilledAt?: Temporal.Instant;
  readonly cancelledAt: Temporal.Instant | null;
  readonly cancelReason: string | null;
  /** By creation, then id. */
  readonly fulfillments: readonly FulfillmentFact[];
  /** By creation, then id. */
  readonly refunds: readonly RefundFact[];
  /** By code. */
  readonly codes: readonly CodeUse[];
}

const FINANCIAL_STATUSES = [
  "pending",
  "authorized",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "voided",
  "expired",
] as const satisfies readonly FinancialStatus[];

const STATED_CODECS: { readonly [K in keyof StatedFields]-?: Codec<Exclude<StatedFields[K], undefined>> } = {
  orderName: nullableCodec(textCodec),
  customerId: nullableCodec(textCodec),
  email: nullableCodec(textCodec),
  createdAt: instant,
  processedAt: instant,
  updatedAt: instant,
  financialStatus: oneOfCodec(...FINANCIAL_STATUSES),
  fulfillmentStatus: oneOfCodec("unfulfilled", "partial", "fulfilled", "restocked"),
  isFulfilledWhole: flagCodec,
  shopCurrency: textCodec,
  presentmentCurrency: textCodec,
  taxesIncluded: flagCodec,
  subtotal: money,
  discountTotal: money,
  goodsDiscount: money,
  shippingTotal: money,
  taxTotal: money,
  tipTotal: money,
  total: money,
  outstanding: money,
  lines: listCodec(orderLine),
  channel: nullableCodec(textCodec),
  tags: listCodec(textCodec),
};

// cast: the keys of the literal above, all of which may be absent
export const STATED_NAMES = Object.keys(STATED_CODECS) as readonly (keyof StatedFields)[];

export const statedFields = record<StatedFields>(STATED_CODECS, STATED_NAMES);

export const codeUse: Codec<CodeUse> = record<CodeUse>({
  code: textCodec,
  amount: nullableCodec(money),
  version: nullableCodec(instant),
});

const storedFacts = record<StoredFacts>(
  {
    orderId: textCodec,
    test: flagCodec,
    stated: statedFields,
    versions: mapOf(instant),
    paidAt: nullableCodec(instant),
    fulfilledAt: instant,
    cancelledAt: nullableCodec(instant),
    cancelReason: nullableCodec(textCodec),
    fulfillments: listCodec(fulfillment),
    refunds: listCodec(refund),
    codes: listCodec(codeUse),
  },
  ["fulfilledAt"],
);

/** The facts as a value for a jsonb column. */
export function encodeFacts(facts: StoredFacts): unknown {
  return storedFacts.encode(facts);
}

/** The facts as `encodeFacts` made them; throws TypeError for anything else. */
export function decodeFacts(stored: unknown): StoredFacts {
  return storedFacts.decode(stored);
}

/** The order's lines, a discount of the order that none of them carries shared out among them. */
export function linesOf({ stated }: Pick<StoredFacts, "stated">): readonly OrderLine[] {
  return linesWithDiscount(stated);
}

/** When the order was placed, as far as its events say: the time of its rules (program.md 4, Snapshot). */
export function processedAt(facts: StoredFacts): Temporal.Instant | null {
  return facts.stated.processedAt ?? facts.stated.createdAt ?? null;
}
