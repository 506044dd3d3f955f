import type { ExpiryRules } from "../ledger/expiry.ts";
import type { OrderRules } from "../orders/order-rules.ts";
import type { AllotmentFacts, CouponFacts, DrawFacts, LotFacts } from "./allotment-queries.ts";
import type { OrderExplanation } from "./order-explanation.ts";
import type { KeptOrder, OrderReceipt, PostedCause } from "./order-queries.ts";

/** What an order had to do with an allotment. */
export interface OrderPart {
  readonly orderId: string;
  readonly kept: KeptOrder & { readonly rules: OrderRules };
  readonly posted: readonly PostedCause[];
  readonly received: readonly OrderReceipt[];
  /** Null: not the order's own points, a coupon's return say. */
  readonly explanation: OrderExplanation | null;
}

/** A draw of an expiration: why that lot was due. */
export interface ExpiredDraw extends DrawFacts {
  /** Null: not by the settings that are known; it was held, say. */
  readonly goesAt: Temporal.Instant | null;
}

export interface ExpirationPart {
  readonly rules: ExpiryRules;
  /** The last extending activity before it. */
  readonly activeAt: Temporal.Instant | null;
  readonly draws: readonly ExpiredDraw[];
}

/** Everything that explains one allotment, from what is kept. */
export interface AllotmentExplanation {
  readonly allotment: AllotmentFacts;
  readonly currency: string;
  readonly timeZone: string;
  /** Of a deduction: the lots that it burnt. */
  readonly draws: readonly DrawFacts[];
  /** Of a credit: the deductions that used its lots. */
  readonly usedBy: readonly DrawFacts[];
  /** Of a credit: what is left, and when it goes by the settings of now. */
  readonly lots: readonly (LotFacts & { readonly goesAt: Temporal.Instant | null })[];
  readonly order: OrderPart | null;
  readonly coupon: CouponFacts | null;
  readonly expiration: ExpirationPart | null;
}
