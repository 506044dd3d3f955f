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
} from "../../db/json-codec.ts";
import { FINANCIAL_STATUSES } from "../../platforms/financial-status.ts";
import type { FulfillmentFact, Money, OrderFacts, OrderLine, RefundFact } from "../../platforms/neutral-events.ts";
import { linesWithDiscount } from "../../platforms/order-sums.ts";
import { fulfillment, money, orderLine, refund } from "./order-facts-codecs.ts";

/** The fields that newer versions of an order's body replace, each separately; an absent field was never stated. */
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

/** A use of a code by the order. Once stated, it stays. */
export interface CodeUse {
  /** In lower case. */
  readonly code: string;
  /** The discount of this code; null: unknown. */
  readonly amount: Money | null;
  /** The version of the event that stated it; null: it had none. */
  readonly version: Temporal.Instant | null;
}

/** Everything known about one order, whatever the order in which its events arrived (platforms.md 4.3). */
export interface StoredFacts {
  readonly orderId: string;
  /** A test order or sample delivery. Once true, it stays true. */
  readonly test: boolean;
  readonly stated: StatedFields;
  /** The version of each field of `stated`, by name; absent: the event that stated it had none. */
  readonly versions: ReadonlyMap<string, Temporal.Instant>;
  /** The earliest time at which an event showed the order as completely paid. */
  readonly paidAt: Temporal.Instant | null;
  /** The earliest time at which an event showed the order as completely fulfilled without naming fulfilments; absent: none did. */
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

/**
 * Whether nobody will pay for the order: it was cancelled, or its payment was voided before anything was paid. An order of the second kind
 * may still be paid later.
 */
export function isOrderOver({ cancelledAt, paidAt, stated }: StoredFacts): boolean {
  return cancelledAt !== null || (paidAt === null && stated.financialStatus === "voided");
}

/** Returns the facts of an order as if it were not over. */
export function withoutEnd({ stated: { financialStatus: _, ...stated }, ...facts }: StoredFacts): StoredFacts {
  return { ...facts, stated, cancelledAt: null };
}

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

/** Returns the facts as a value for a jsonb column. */
export function encodeFacts(facts: StoredFacts): unknown {
  return storedFacts.encode(facts);
}

/** Returns the facts from the form of `encodeFacts`; throws TypeError for anything else. */
export function decodeFacts(stored: unknown): StoredFacts {
  return storedFacts.decode(stored);
}

/** Returns the order's lines, with an order discount that no line carries distributed among them. */
export function linesOf({ stated }: Pick<StoredFacts, "stated">): readonly OrderLine[] {
  return linesWithDiscount(stated);
}

/** Returns when the order was placed, as far as its events say: the time of its rules (program.md 4, Snapshot). */
export function processedAt(facts: StoredFacts): Temporal.Instant | null {
  return facts.stated.processedAt ?? facts.stated.createdAt ?? null;
}
