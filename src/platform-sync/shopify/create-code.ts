import type { CodeInput } from "../../platforms/coupon-code.ts";
import type { UserError } from "../../platforms/shopify/admin/answer.ts";
import {
  createDiscount,
  findDiscount,
  isOwnDiscount,
  readCreated,
  readFound,
} from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { Fault } from "../../problems.ts";
import type { CodeResult, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

const RETRY_MS = 10_000;

/** Creates a coupon's code at Shopify. One that an earlier request created without getting the answer is found by its code. */
export async function createCode(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  { input, isRetry }: { readonly input: CodeInput; readonly isRetry: boolean },
): Promise<CodeResult> {
  const result = await callAdmin(deps, admin, createDiscount(input));
  if (result.kind === "unknown") return { kind: "unknown" };
  if (result.kind !== "data") {
    // An earlier try of the same request may have created it nevertheless.
    if (isRetry) return { kind: "unknown" };
    return { kind: "refused", faults: [], waitMs: result.kind === "throttled" ? result.waitMs : RETRY_MS };
  }
  const created = readCreated(result.data);
  if ("ref" in created) return { kind: "live", ref: created.ref };
  const found = await callAdmin(deps, admin, findDiscount({ code: input.code }));
  if (found.kind !== "data") return { kind: "unknown" };
  const discount = readFound(found.data);
  if (discount !== null && isOwnDiscount(input, discount)) return { kind: "live", ref: discount.ref };
  deps.log.warn({ coupon: input.couponUid, errors: created.errors }, "the platform refused a coupon's code");
  const isOfRequest = created.errors.length > 0 && created.errors.every(({ field }) => field.at(-1) !== "code");
  return { kind: "refused", faults: isOfRequest ? created.errors.map(faultOf) : [], waitMs: RETRY_MS };
}

/** Where a value of the platform's input came from in `POST /coupons`. */
function faultOf({ field, message }: UserError): Fault {
  const at = field.join("/");
  const pointer = /product/i.test(at) ? "/product_ids" : /customer|context/i.test(at) ? "/customer_id" : undefined;
  const detail = `the platform: ${message}`;
  return pointer === undefined ? { detail } : { detail, pointer };
}
