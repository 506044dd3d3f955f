import type { Deps } from "../deps.ts";
import { abandonDiscountCreation } from "./abandon-discount-creation.ts";
import { type LeasedDiscountCreation, nextLookS, placedCode } from "./discount-creation.ts";
import { deleteDiscountCreation, postponeDiscountCreation } from "./discount-creation-queries.ts";
import { finishDiscountCreation } from "./finish-discount-creation.ts";
import type { CouponPort } from "./platform-port.ts";

/**
 * Ends an unfinished creation: asks the platform for the code, removes it if it exists, and only then returns the points
 * (program.md 3). Where the code was used meanwhile, the points stay debited and the coupon is stored. As long as the platform does not
 * respond, the points stay held.
 */
export async function resolveDiscountCreation(
  deps: Deps,
  port: CouponPort,
  creation: LeasedDiscountCreation,
): Promise<void> {
  const outcome = await askPlatform(port, creation);
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
  port: CouponPort,
  creation: LeasedDiscountCreation,
): Promise<"gone" | "unknown" | { readonly ref: string }> {
  const found = await port.find(placedCode(creation));
  if (found === "unknown") return "unknown";
  if (found === null) return "gone";
  const removed = await port.remove({ ...placedCode(creation), ref: found.ref });
  return removed === "used" ? { ref: found.ref } : removed;
}

async function finishGone(deps: Deps, creation: LeasedDiscountCreation): Promise<void> {
  if (creation.state === "released") return deleteDiscountCreation(deps.db, creation);
  await deps.db.tx((tx) => abandonDiscountCreation(tx, deps, creation, { mayLand: true }));
}
