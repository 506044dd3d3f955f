import { couponDeleted } from "../coupons/coupon-deleted.ts";
import { markReleasedOf } from "../coupons/coupon-queries.ts";
import { releaseCoupon } from "../coupons/release-coupon.ts";
import { deleteCustomer } from "../customers/delete-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { applyOrderEvent, type OrderSubjectEvent } from "../orders/apply-order-event.ts";
import { endsOrder } from "../orders/facts/merge-facts.ts";
import { upsertProduct } from "../orders/products/upsert-product.ts";
import { integrationName } from "../orders/store-order.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { recordRequest } from "../privacy/record-request.ts";
import { applyCustomer } from "./apply-customer.ts";
import { mergeCustomers } from "./merge-customers.ts";
import { postFlow } from "./post-flow.ts";
import { DONE, ORDER_UNKNOWN, type ReceiptStatus } from "./receipt.ts";
import { redactCustomer } from "./redact-customer.ts";

const ENDS_LATER: ReceiptStatus = {
  state: "done",
  note: "the code cannot be removed from here: its points come back at its end, or when it is deleted",
};
const KEPT_FOR_A_PERSON: ReceiptStatus = {
  state: "done",
  note: "kept for a person to act on: pointkeeper privacy requests",
};

/** Applies one event in the transaction of its receipt. Returns the state of the receipt afterwards; throws refusals and bugs. */
export async function applyEvent(tx: Tx, deps: PostingDeps, event: NeutralEvent): Promise<ReceiptStatus> {
  const appReference = integrationName(event.platform);
  switch (event.type) {
    case "CustomerUpserted":
      await applyCustomer(tx, deps, event);
      return DONE;
    case "CustomerDeleted":
      if (event.payload.reason === "redacted") await redactCustomer(tx, deps, { ...event.payload, appReference });
      else await deleteCustomer(tx, deps, event.payload.customerId, appReference);
      return DONE;
    case "CustomerMerged":
      await mergeCustomers(tx, deps, { ...event.payload, appReference });
      return DONE;
    case "ProductUpserted":
      await upsertProduct(tx, deps, event);
      return DONE;
    case "CouponDeleted":
      await couponDeleted(tx, deps, event.payload);
      return DONE;
    case "CouponReleased":
      return (await releaseCoupon(tx, deps, event.payload.code)) === "ends_later" ? ENDS_LATER : DONE;
    case "FlowAdjustRequested":
      if (!event.test) await postFlow(tx, deps, event.payload, appReference);
      return DONE;
    case "ShopRedacted":
    case "CustomerDataRequested":
      await recordRequest(tx, deps, event);
      return KEPT_FOR_A_PERSON;
    case "ShopUninstalled":
      return DONE;
    default:
      return applyOrder(tx, deps, event);
  }
}

/** Applies an event of an order. If it ends the order, the codes that the order used are removed at the platform (decision 80). */
async function applyOrder(tx: Tx, deps: PostingDeps, event: OrderSubjectEvent): Promise<ReceiptStatus> {
  const applied = await applyOrderEvent(tx, deps, event);
  if (applied === "waiting") return ORDER_UNKNOWN;
  if (applied === "over" && endsOrder(event)) await markReleasedOf(tx, event.payload.orderId, deps.clock.now());
  return DONE;
}
