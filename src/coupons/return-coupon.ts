import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import { plainPosting } from "../ledger/posting.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { Problem } from "../problems.ts";
import type { Coupon } from "./coupon.ts";
import { closeCoupon, selectHolder } from "./coupon-queries.ts";

/**
 * Returns all points of an unused coupon (program.md 2, Coupons; type `coupon_cancellation`) and closes it. A deleted customer gets
 * nothing; for a merged one, the surviving customer gets them. The coupon must be locked, open and unused. Throws `balance_limit` if the
 * balance cannot hold them.
 */
export async function returnCoupon(
  tx: Tx,
  deps: PostingDeps,
  coupon: Coupon,
  because: { readonly state: "cancelled" | "expired"; readonly appReference: string },
): Promise<void> {
  const { uid, customer, debitVersion, pointValue } = coupon;
  const holder = await selectHolder(tx, coupon);
  if (holder === null) {
    await closeCoupon(tx, uid, { state: because.state, returnedPoints: 0n });
    return;
  }
  const of = holder === customer ? {} : { of: customer };
  const change = { kind: "give_back", pointValue, ofVersion: debitVersion, skip: 0n, ...of } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "coupon_cancellation", because.appReference, change),
    sourceKey: `coupon_return/${uid}/cancellation`,
    object: `coupon-${uid}`,
    reasonType: "coupon",
  } as const;
  const [outcome] = await postAllotments(tx, deps, [{ customer: holder, posting }]);
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
  await closeCoupon(tx, uid, { state: because.state, returnedPoints: pointValue });
}
