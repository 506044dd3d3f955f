import type { FinancialStatus } from "./financial-status.ts";

/**
 * The neutral events into which every platform's adapter translates, and which `POST /intake/events` accepts (program.md 4). They state
 * facts, never deltas: an event that is processed twice, late or out of order must give the same result.
 *
 * An absent field means unknown: the stored value stays. `null` means that the platform stated "none". Ids are opaque strings, money is in
 * integer minor units, instants are Temporal.Instant. The wire form is `neutral-wire.ts`.
 */
export type PlatformId = string;
/** ISO 4217, upper case: "JPY". */
export type CurrencyCode = string;
/** "1990-05-17", or "--05-17" if the year is unknown. */
export type Birthday = string;

export interface Money {
  readonly minor: bigint;
  readonly currency: CurrencyCode;
}

export interface Envelope<T extends string, P> {
  readonly type: T;
  /** "shopify", or the name that the sender of a neutral event gives. */
  readonly platform: string;
  /** Events of one subject are processed in order of arrival: "order/1", "customer/1", "product/1", "discount/<ref>", "shop". */
  readonly subject: string;
  /** The natural key of the fact, for logs and tests. Double counting is prevented by the ledger's keys, not by this one. */
  readonly factKey: string;
  /** When it happened at the platform: the body's own time, otherwise the delivery's, otherwise the time of receipt. */
  readonly occurredAt: Temporal.Instant;
  readonly receivedAt: Temporal.Instant;
  /** The entity's updated_at: scalars older than the stored version never overwrite. Absent: they only fill unknown fields. */
  readonly entityVersion?: Temporal.Instant;
  /** A finer version of everything but an order's states, where a platform changes it without a new updated_at. Absent: entityVersion. */
  readonly contentVersion?: Temporal.Instant;
  /** "orders/updated". Not signed by Shopify: for display only, it decides nothing. */
  readonly sourceTopic: string;
  readonly sourceApiVersion?: string;
  /** A test order or sample delivery: stored, never awarded. */
  readonly test: boolean;
  readonly payload: P;
}

export interface CustomerFacts {
  readonly customerId: PlatformId;
  /** In lower case. */
  readonly email?: string | null;
  readonly name?: string | null;
  /** How the name is read (furigana), in any kana. */
  readonly nameReading?: string | null;
  readonly accountEnabled?: boolean;
  readonly acceptsMarketing?: boolean;
  /** The version of `acceptsMarketing`, which has other topics than the rest of the customer. */
  readonly consentUpdatedAt?: Temporal.Instant;
  readonly birthday?: Birthday | null;
  /** As BCP 47. */
  readonly locale?: string;
  readonly createdAt?: Temporal.Instant;
  /** The complete set; `tagsAdded` and `tagsRemoved` change the stored one. */
  readonly tags?: readonly string[];
  readonly tagsAdded?: readonly string[];
  readonly tagsRemoved?: readonly string[];
}

export interface LineDiscount {
  /** The code as the buyer entered it; null for automatic and manual discounts. Compare without case. */
  readonly code: string | null;
  /** Distinguishes the discounts of one order if there is no code. */
  readonly discountRef: string;
  /** The discount on the whole line, at least 0. */
  readonly amount: Money;
}

export type LineKind = "product" | "gift_card" | "tip" | "custom" | "fee";

export interface OrderLine {
  readonly lineId: PlatformId;
  readonly productId: PlatformId | null;
  readonly variantId: PlatformId | null;
  readonly title: string;
  /** As ordered: a decimal with at most 6 places, like all quantities (quantity.ts). */
  readonly quantity: number;
  /** After removals and refunds; null: not stated. */
  readonly currentQuantity: number | null;
  /** The list price of one unit, before discounts; includes tax if the order's prices do. */
  readonly unitPrice: Money;
  /** The part of the price below the minor unit, in millionths of it: 0.1234 dollars are 12 cents and 340,000. Absent: 0. */
  readonly unitPriceMillionths?: number;
  /** All discounts on the line, including shares of order discounts. */
  readonly discounts: readonly LineDiscount[];
  /** The tax of the whole line as ordered, after discounts. */
  readonly tax: Money;
  readonly kind: LineKind;
  /** False: it is not shipped, so it counts as fulfilled once the order is paid. Absent: it is shipped. */
  readonly requiresShipping?: boolean;
  /** The product's tags, if the event states them; otherwise see ProductUpserted. */
  readonly tags?: readonly string[];
  readonly collections?: readonly PlatformId[];
}

export type FulfillmentStatus = "success" | "pending" | "cancelled" | "error" | "failure";

export interface FulfillmentFact {
  readonly fulfillmentId: PlatformId;
  /** Only "success" has shipped. Of two copies the one with the later `updatedAt` wins; at the same time "cancelled" wins. */
  readonly status: FulfillmentStatus;
  readonly createdAt: Temporal.Instant;
  readonly updatedAt: Temporal.Instant;
  readonly lines: readonly { readonly lineId: PlatformId; readonly quantity: number }[];
}

export type Restock = "no_restock" | "cancel" | "return" | "legacy_restock" | "unknown";

export interface RefundLine {
  readonly lineId: PlatformId;
  readonly quantity: number;
  readonly restock: Restock;
  /** Of this quantity, net of discounts; includes tax if the order's prices do. */
  readonly subtotal: Money;
  readonly tax: Money;
}

export interface RefundFact {
  readonly refundId: PlatformId;
  readonly createdAt: Temporal.Instant;
  readonly lines: readonly RefundLine[];
  /** Refunded shipping, and duties and fees, which are no goods either; at least 0, without its tax. */
  readonly shipping: Money;
  readonly shippingTax: Money;
  /** Differences between lines and money, including tax; negative if more was given back than the sum of the lines. */
  readonly otherAdjustments: Money;
  /** All successful refund transactions: goods, shipping and taxes; 0: an edit removed lines. null: unknown. Of two copies the larger amount wins. */
  readonly moneyMoved: Money | null;
  /** What its lines were worth beyond this money, where new lines or a fee of the order were paid with it: an exchange. Absent: nothing. */
  readonly credited?: Money;
  /** True: it is of a return whose money is complete, from a body that does not say whether prices include tax: the order's facts decide the credit. */
  readonly isOfReturn?: boolean;
}

export type ShippingStatus = "unfulfilled" | "partial" | "fulfilled" | "restocked";

export interface OrderCoupon {
  /** Never empty. */
  readonly code: string;
  /** The discount of this code, including on shipping; absent: unknown. */
  readonly amount?: Money;
  readonly type: string;
}

/**
 * Everything that an order's body states. Scalars and `lines` belong to one version (`updatedAt`); `fulfillments` and `refunds` are merged
 * by id with the known ones, whatever the order of arrival; a cancellation never disappears.
 */
export interface OrderFacts {
  readonly orderId: PlatformId;
  /** "#1001". */
  readonly orderName?: string | null;
  /** null: a guest's order, which waits by `email`. */
  readonly customerId?: PlatformId | null;
  readonly email?: string | null;
  readonly createdAt?: Temporal.Instant;
  readonly processedAt?: Temporal.Instant;
  readonly updatedAt?: Temporal.Instant;
  /** Completely paid by then: among several events the earliest wins. null or absent: not stated, `financialStatus` decides. */
  readonly paidAt?: Temporal.Instant | null;
  readonly cancelledAt?: Temporal.Instant | null;
  readonly cancelReason?: string | null;
  readonly financialStatus?: FinancialStatus;
  readonly fulfillmentStatus?: ShippingStatus;
  /** Whether the status alone says that the whole order was shipped. Absent: only its fulfilments say so, as at Shopify. */
  readonly isFulfilledWhole?: boolean;
  /** When it was shipped as a whole, where the status alone says so. Absent: at the time of the first such statement. */
  readonly fulfilledAt?: Temporal.Instant;
  /** The currency of all money here, and the only one in which points are computed. */
  readonly shopCurrency?: CurrencyCode;
  readonly presentmentCurrency?: CurrencyCode;
  readonly taxesIncluded?: boolean;
  /** After discounts, as ordered, without tips; refunds and edits do not change it. */
  readonly subtotal?: Money;
  readonly discountTotal?: Money;
  /** The total discount on the goods: the part that no line carries is distributed among them. Absent: the lines carry all of it. */
  readonly goodsDiscount?: Money;
  readonly shippingTotal?: Money;
  readonly taxTotal?: Money;
  readonly tipTotal?: Money;
  readonly total?: Money;
  readonly outstanding?: Money;
  /** All lines that ever existed, including removed ones. Absent: not stated; an order whose lines were never stated waits for them. */
  readonly lines?: readonly OrderLine[];
  readonly coupons?: readonly OrderCoupon[];
  readonly fulfillments: readonly FulfillmentFact[];
  readonly refunds: readonly RefundFact[];
  /** "web", "pos", an app's id. */
  readonly channel?: string | null;
  readonly tags?: readonly string[];
}

export interface EditedLine {
  readonly lineId: PlatformId;
  readonly delta: number;
}

export type CustomerUpserted = Envelope<"CustomerUpserted", CustomerFacts>;
export type CustomerDeleted = Envelope<
  "CustomerDeleted",
  {
    readonly customerId: PlatformId;
    readonly reason: "deleted" | "redacted";
    readonly ordersToRedact?: readonly PlatformId[];
    /** The address of the person to redact, in lower case: the stored one may be gone since a deletion. */
    readonly email?: string | null;
  }
>;
export type CustomerMerged = Envelope<
  "CustomerMerged",
  { readonly keptId: PlatformId; readonly removedId: PlatformId }
>;
/** The three names mean the same: the facts decide. */
export type OrderStated = Envelope<"OrderPlaced" | "OrderUpdated" | "OrderPaid", OrderFacts>;
export type OrderFulfilled = Envelope<
  "OrderFulfilled",
  { readonly orderId: PlatformId; readonly fulfillment: FulfillmentFact }
>;
export type OrderRefunded = Envelope<"OrderRefunded", { readonly orderId: PlatformId; readonly refund: RefundFact }>;
export type OrderCancelled = Envelope<
  "OrderCancelled",
  { readonly orderId: PlatformId; readonly cancelledAt: Temporal.Instant; readonly reason: string | null }
>;
/** States only that the order changed: the following statement has the state. Changes no points by itself. */
export type OrderEdited = Envelope<
  "OrderEdited",
  {
    readonly orderId: PlatformId;
    readonly editId: PlatformId;
    readonly additions: readonly EditedLine[];
    readonly removals: readonly EditedLine[];
  }
>;
/** Changes no points. */
export type OrderDeleted = Envelope<"OrderDeleted", { readonly orderId: PlatformId }>;
/** Tags and collections of a product, which order bodies lack. Absent: unknown; each set is complete. */
export type ProductUpserted = Envelope<
  "ProductUpserted",
  {
    readonly productId: PlatformId;
    readonly tags?: readonly string[];
    readonly collections?: readonly PlatformId[];
  }
>;
export type CouponUsed = Envelope<
  "CouponUsed",
  {
    readonly code: string;
    readonly orderId: PlatformId;
    readonly customerId?: PlatformId | null;
    readonly amount?: Money;
  }
>;
/** The code of a redemption no longer exists. A used coupon stays used. At least one of `discountRef` and `code` is known. */
export type CouponDeleted = Envelope<
  "CouponDeleted",
  {
    readonly discountRef: string | null;
    readonly code: string | null;
    readonly reason: "discount_deleted" | "code_removed" | "expired" | "voided";
  }
>;
/** The code of a redemption left a cart (replaced or undone) and still works: it is removed, and then its points are returned. */
export type CouponReleased = Envelope<"CouponReleased", { readonly code: string; readonly cartId: string | null }>;
export type FlowAdjustRequested = Envelope<
  "FlowAdjustRequested",
  {
    readonly runId: string;
    readonly customer: { readonly id: PlatformId } | { readonly email: string };
    readonly pointValue: bigint;
    readonly extendsExpiration: boolean;
    readonly note: string | null;
  }
>;
export type ShopUninstalled = Envelope<"ShopUninstalled", { readonly shopId: PlatformId }>;
export type ShopRedacted = Envelope<"ShopRedacted", { readonly shopId: PlatformId }>;
export type CustomerDataRequested = Envelope<
  "CustomerDataRequested",
  { readonly requestId: PlatformId; readonly customerId: PlatformId; readonly orders: readonly PlatformId[] }
>;

export type NeutralEvent =
  | CustomerUpserted
  | CustomerDeleted
  | CustomerMerged
  | OrderStated
  | OrderFulfilled
  | OrderRefunded
  | OrderCancelled
  | OrderEdited
  | OrderDeleted
  | ProductUpserted
  | CouponUsed
  | CouponDeleted
  | CouponReleased
  | FlowAdjustRequested
  | ShopUninstalled
  | ShopRedacted
  | CustomerDataRequested;
