import { couponDeleted } from "../coupons/coupon-deleted.ts";
import { releaseCoupon } from "../coupons/release-coupon.ts";
import { deleteCustomer } from "../customers/delete-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { applyOrderEvent } from "../orders/apply-order-event.ts";
import { integrationName } from "../orders/store-order.ts";
import { upsertProduct } from "../orders/upsert-product.ts";
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
      return (await applyOrderEvent(tx, deps, event)) === "applied" ? DONE : ORDER_UNKNOWN;
  }
}
