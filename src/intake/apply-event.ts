import { couponDeleted } from "../coupons/coupon-deleted.ts";
import { deleteCustomer } from "../customers/delete-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { applyOrderEvent } from "../orders/apply-order-event.ts";
import { upsertProduct } from "../orders/upsert-product.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { applyCustomer } from "./apply-customer.ts";
import { applyFlow } from "./apply-flow.ts";
import type { ReceiptStatus } from "./receipt.ts";

const DONE: ReceiptStatus = { state: "done", note: null };
const ORDER_UNKNOWN: ReceiptStatus = { state: "waiting", note: "the order is not known yet" };
const MERGE: ReceiptStatus = { state: "waiting", note: "customers are not merged yet" };
const COMPLIANCE: ReceiptStatus = { state: "done", note: "kept for the staff, who act on it by hand" };

/** Applies one event in the transaction of its receipt. Answers how far the receipt is with it; throws refusals and bugs. */
export async function applyEvent(tx: Tx, deps: PostingDeps, event: NeutralEvent): Promise<ReceiptStatus> {
  switch (event.type) {
    case "CustomerUpserted":
      await applyCustomer(tx, deps, event);
      return DONE;
    case "CustomerDeleted":
      if (event.payload.reason === "redacted") return COMPLIANCE;
      await deleteCustomer(tx, deps, event.payload.customerId);
      return DONE;
    case "CustomerMerged":
      return MERGE;
    case "ProductUpserted":
      await upsertProduct(tx, deps, event);
      return DONE;
    case "CouponDeleted":
      await couponDeleted(tx, deps, event.payload);
      return DONE;
    case "FlowAdjustRequested":
      await applyFlow(tx, deps, event);
      return DONE;
    case "ShopUninstalled":
    case "ShopRedacted":
    case "CustomerDataRequested":
      return COMPLIANCE;
    default:
      return (await applyOrderEvent(tx, deps, event)) === "applied" ? DONE : ORDER_UNKNOWN;
  }
}
