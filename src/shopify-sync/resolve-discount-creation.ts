import type { Deps } from "../deps.ts";
import { findDiscount, readFound } from "../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { abandonDiscountCreation } from "./abandon-discount-creation.ts";
import { callAdmin } from "./call-admin.ts";
import { isOwnDiscount, type LeasedDiscountCreation, nextLookS } from "./discount-creation.ts";
import { deleteDiscountCreation, postponeDiscountCreation } from "./discount-creation-queries.ts";
import { finishDiscountCreation } from "./finish-discount-creation.ts";
import { removeCode } from "./remove-code.ts";

/**
 * Ends a creation that was left unfinished: asks the platform for the code, removes it if it exists, and only then gives the points
 * back (program.md 3). A code that was used meanwhile keeps its points: its coupon is stored. As long as the platform does not
 * answer, the points stay held.
 */
export async function resolveDiscountCreation(
  deps: Deps,
  admin: ShopifyAdmin,
  creation: LeasedDiscountCreation,
): Promise<void> {
  const outcome = await askPlatform(deps, admin, creation);
  if (outcome === "unknown") return postponeDiscountCreation(deps.db, creation, nextLookS(creation.attempts));
  if (outcome === "gone") return finishGone(deps, creation);
  if (creation.state === "creating") {
    await deps.db.tx((tx) => finishDiscountCreation(tx, deps, creation, outcome.ref));
    return;
  }
  deps.log.error({ coupon: creation.draft.uid, code: creation.code }, "a code was used whose points had come back");
  await deleteDiscountCreation(deps.db, creation);
}

async function askPlatform(
  deps: Deps,
  admin: ShopifyAdmin,
  creation: LeasedDiscountCreation,
): Promise<"gone" | "unknown" | { readonly ref: string }> {
  const result = await callAdmin(deps, admin, findDiscount({ code: creation.code }));
  if (result.kind !== "data") return "unknown";
  const found = readFound(result.data);
  if (found === null || !isOwnDiscount(creation, found)) return "gone";
  const removed = await removeCode(deps, admin, found.ref);
  return removed === "used" ? { ref: found.ref } : removed;
}

async function finishGone(deps: Deps, creation: LeasedDiscountCreation): Promise<void> {
  if (creation.state === "released") return deleteDiscountCreation(deps.db, creation);
  await deps.db.tx((tx) => abandonDiscountCreation(tx, deps, creation, { mayLand: true }));
}
