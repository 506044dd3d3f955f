import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { Problem } from "../problems.ts";
import { type CouponDraft, couponDebit } from "./coupon-draft.ts";

/** Takes a coupon's points (program.md 2, Coupons) and returns the version of the allotment. Throws `negative_balance`. */
export async function takeCouponPoints(tx: Tx, deps: PostingDeps, draft: CouponDraft): Promise<bigint> {
  const posting = couponDebit(draft, deps.random.uid());
  const [outcome] = await postAllotments(tx, deps, [{ customer: draft.customer, posting }]);
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
  if (outcome?.kind !== "posted") throw new Error(`the points of coupon ${draft.uid} were not taken`);
  return outcome.version;
}
