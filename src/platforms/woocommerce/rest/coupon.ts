import type { Fault } from "../../../problems.ts";
import { type CodeInput, codeTitle } from "../../coupon-code.ts";
import { fieldOf, isList, type Json } from "../../json-source.ts";
import { formatMajor } from "../../money.ts";
import { type WooRequest, wooIdOf } from "./answer.ts";
import { isPositive } from "./lists.ts";

/** A coupon found in the store. */
export interface WooCoupon {
  readonly ref: string;
  /** Its description, by which it is recognised as a coupon of this service. */
  readonly title: string | null;
  readonly isUsed: boolean;
}

/** The error code with which WooCommerce says that a code is taken. */
export const CODE_EXISTS = "woocommerce_rest_coupon_code_already_exists";

/** Below 2^53, because they are sent as numbers. */
const WOO_ID = /^[1-9][0-9]{0,14}$/;

/** Returns what WooCommerce cannot identify: its ids are integers, and it restricts a code to a customer only by e-mail. */
export function foreignWooFault({
  storefrontId,
  email,
  productIds,
}: Pick<CodeInput, "storefrontId" | "email" | "productIds">): Fault | null {
  const fault = (pointer: string, detail: string): Fault => ({ pointer, detail: `${pointer}: ${detail}` });
  if (!WOO_ID.test(storefrontId)) return fault("/customer_id", "expected an id of the platform: digits");
  if (email === null)
    return fault("/customer_id", "expected a customer with an e-mail, by which the store knows whose a code is");
  const isKnown = (productIds ?? []).every((id) => WOO_ID.test(id));
  return isKnown ? null : fault("/product_ids", "expected an id of the platform: digits");
}

/** Creates a fixed discount on the cart, once, for the owner of an e-mail, on all or some products. */
export function createCoupon(input: CodeInput): WooRequest {
  const { productIds } = input;
  return {
    method: "POST",
    path: "/wc/v3/coupons",
    body: {
      code: input.code,
      discount_type: "fixed_cart",
      amount: formatMajor(input.currencyValue, input.currency),
      description: codeTitle(input.couponUid),
      date_expires: input.endsAt.toString({ smallestUnit: "second" }), // date_expires_gmt is read, and never written
      email_restrictions: [input.email],
      usage_limit: 1,
      usage_limit_per_user: 1,
      ...(productIds === null ? {} : { product_ids: productIds.map(Number) }),
    },
  };
}

export function findCoupon(code: string): WooRequest {
  return { method: "GET", path: `/wc/v3/coupons?${new URLSearchParams({ code })}` };
}

/** Deletes a coupon without moving it to the bin, where its code would stay taken. */
export function deleteCoupon(ref: string): WooRequest {
  return { method: "DELETE", path: `/wc/v3/coupons/${ref}?force=true` };
}

/** Returns the coupon of an answer, whether a list or one; null: there is none. */
export function readWooCoupon(data: Json): WooCoupon | null {
  const coupon = isList(data) ? data[0] : data;
  const ref = wooIdOf(fieldOf(coupon, "id"));
  if (ref === null) return null;
  const title = fieldOf(coupon, "description");
  const usedBy = fieldOf(coupon, "used_by");
  const isUsed = isPositive(fieldOf(coupon, "usage_count")) || (isList(usedBy) && usedBy.length > 0);
  return { ref, title: typeof title === "string" ? title : null, isUsed };
}
