import type { Tx } from "../db/pool.ts";
import { endHold } from "../ledger/holds/end-hold.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { LeasedDiscountCreation } from "./discount-creation.ts";
import { deleteDiscountCreation, lockLeased, markCreationReleased } from "./discount-creation-queries.ts";

/** Seconds after which even a very slow request to create the discount has ended, so that a search finds what it created. */
const LAST_LOOK_S = 3_600;

/**
 * Returns the held points of a coupon whose code certainly does not exist at the platform (program.md 3). `mayLand`: a request to create
 * the code may still be under way there, so one more check is scheduled. A customer who was deleted meanwhile gets nothing.
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
