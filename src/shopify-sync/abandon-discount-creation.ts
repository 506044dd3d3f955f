import type { Tx } from "../db/pool.ts";
import { endHold } from "../ledger/end-hold.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import type { LeasedDiscountCreation } from "./discount-creation.ts";
import { deleteDiscountCreation, lockLeased, markCreationReleased } from "./discount-creation-queries.ts";

/** A create that was slower than everything else is found after this. */
const LAST_LOOK_S = 3_600;

/**
 * Gives the held points of a coupon back whose code is certainly not alive at the platform (program.md 3). `mayLand`: a request to make
 * it may still be under way there, so that one more look is due. A customer who was deleted meanwhile gets nothing.
 */
export async function abandonDiscountCreation(
  tx: Tx,
  deps: PostingDeps,
  creation: LeasedDiscountCreation,
  { mayLand }: { readonly mayLand: boolean },
): Promise<void> {
  if ((await lockLeased(tx, creation)) !== "creating") return;
  await endHold(tx, deps, { uid: creation.holdUid, capture: null });
  if (mayLand) await markCreationReleased(tx, creation.draft.uid, LAST_LOOK_S);
  else await deleteDiscountCreation(tx, creation);
}
