import type { Deps } from "../deps.ts";
import type { UserError } from "../platforms/shopify/admin/answer.ts";
import { createDiscount, findDiscount, readCreated, readFound } from "../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { callAdmin } from "./call-admin.ts";
import { codeInput, type DiscountCreation, isOwnDiscount } from "./discount-creation.ts";

/** `refused` with errors: the platform does not take the values; without: it cannot be used now. `unknown`: the code may exist. */
export type CodeResult =
  | { readonly kind: "live"; readonly ref: string }
  | { readonly kind: "refused"; readonly errors: readonly UserError[]; readonly waitMs: number }
  | { readonly kind: "unknown" };

const RETRY_MS = 10_000;

/** Creates a coupon's code at the platform. One that an earlier request created without getting the answer is found by its code. */
export async function createCode(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  creation: DiscountCreation,
): Promise<CodeResult> {
  const result = await callAdmin(deps, admin, createDiscount(codeInput(creation)));
  if (result.kind === "unknown") return { kind: "unknown" };
  if (result.kind !== "data") {
    // An earlier try of the same request may have created it nevertheless.
    if (creation.attempts > 0) return { kind: "unknown" };
    return { kind: "refused", errors: [], waitMs: result.kind === "throttled" ? result.waitMs : RETRY_MS };
  }
  const created = readCreated(result.data);
  if ("ref" in created) return { kind: "live", ref: created.ref };
  const found = await callAdmin(deps, admin, findDiscount({ code: creation.code }));
  if (found.kind !== "data") return { kind: "unknown" };
  const discount = readFound(found.data);
  if (discount !== null && isOwnDiscount(creation, discount)) return { kind: "live", ref: discount.ref };
  deps.log.warn({ coupon: creation.draft.uid, errors: created.errors }, "the platform refused a coupon's code");
  return { kind: "refused", errors: created.errors, waitMs: RETRY_MS };
}
