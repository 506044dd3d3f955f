import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import type { OrderRules } from "../orders/plan/order-rules.ts";
import type { AllotmentFacts, CouponFacts, DrawFacts, LotFacts } from "./allotment-queries.ts";
import type { OrderExplanation } from "./order-explanation.ts";
import type { OrderReceipt, PostedCause, StoredOrderFacts } from "./order-queries.ts";

/** The connection of an order with an allotment. */
export interface OrderPart {
  readonly orderId: string;
  readonly kept: StoredOrderFacts & { readonly rules: OrderRules };
  readonly posted: readonly PostedCause[];
  readonly received: readonly OrderReceipt[];
  /** Null: the points are not the order's own, for example a coupon's return. */
  readonly explanation: OrderExplanation | null;
}

/** A draw of an expiration, and why that lot was due. */
export interface ExpiredDraw extends DrawFacts {
  /** Null: not explained by the known settings; the points were held, for example. */
  readonly goesAt: Temporal.Instant | null;
}

export interface ExpirationPart {
  readonly rules: ExpiryRules;
  /** The last extending activity before it. */
  readonly activeAt: Temporal.Instant | null;
  readonly draws: readonly ExpiredDraw[];
}

/** Everything that explains one allotment, from stored data. */
export interface AllotmentExplanation {
  readonly allotment: AllotmentFacts;
  readonly currency: string;
  readonly timeZone: string;
  /** For a deduction: the lots from which it took. */
  readonly draws: readonly DrawFacts[];
  /** For a credit: the deductions that used its lots. */
  readonly usedBy: readonly DrawFacts[];
  /** For a credit: what is left, and when it expires by the present settings. */
  readonly lots: readonly (LotFacts & { readonly goesAt: Temporal.Instant | null })[];
  readonly order: OrderPart | null;
  readonly coupon: CouponFacts | null;
  readonly expiration: ExpirationPart | null;
}
