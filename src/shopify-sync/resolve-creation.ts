import type { Deps } from "../deps.ts";
import { findDiscount, readFound } from "../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { abandonCreation } from "./abandon-creation.ts";
import { callAdmin } from "./call-admin.ts";
import { isOwnDiscount, type LeasedCreation, nextLookS } from "./creation.ts";
import { deleteCreation, postponeCreation } from "./creation-queries.ts";
import { finishCreation } from "./finish-creation.ts";
import { removeCode } from "./remove-code.ts";

/**
 * Ends a creation that nobody goes on with: asks the platform for the code, removes it if it is there, and only then gives the points
 * back (program.md 3). A code that was used all the same keeps its points: its coupon is made good. As long as the platform does not
 * answer, the points stay held.
 */
export async function resolveCreation(deps: Deps, admin: ShopifyAdmin, creation: LeasedCreation): Promise<void> {
  const outcome = await askPlatform(deps, admin, creation);
  if (outcome === "unknown") return postponeCreation(deps.db, creation, nextLookS(creation.attempts));
  if (outcome === "gone") return settleGone(deps, creation);
  if (creation.state === "creating") {
    await deps.db.tx((tx) => finishCreation(tx, deps, creation, outcome.ref));
    return;
  }
  deps.log.error({ coupon: creation.draft.uid, code: creation.code }, "a code was used whose points had come back");
  await deleteCreation(deps.db, creation);
}

async function askPlatform(
  deps: Deps,
  admin: ShopifyAdmin,
  creation: LeasedCreation,
): Promise<"gone" | "unknown" | { readonly ref: string }> {
  const result = await callAdmin(deps, admin, findDiscount({ code: creation.code }));
  if (result.kind !== "data") return "unknown";
  const found = readFound(result.data);
  if (found === null || !isOwnDiscount(creation, found)) return "gone";
  const removed = await removeCode(deps, admin, found.ref);
  return removed === "used" ? { ref: found.ref } : removed;
}

async function settleGone(deps: Deps, creation: LeasedCreation): Promise<void> {
  if (creation.state === "released") return deleteCreation(deps.db, creation);
  await deps.db.tx((tx) => abandonCreation(tx, deps, creation, { mayLand: true }));
}
