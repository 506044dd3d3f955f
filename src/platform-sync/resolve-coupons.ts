import { takeReleased } from "../coupons/coupon-queries.ts";
import type { Deps } from "../deps.ts";
import { claimDiscountCreation } from "./discount-creation-queries.ts";
import { beginExpired, beginReleased, claimDiscountRemoval } from "./discount-removal-queries.ts";
import { openCouponPort } from "./index.ts";
import { resolveDiscountCreation } from "./resolve-discount-creation.ts";
import { resolveDiscountRemoval } from "./resolve-discount-removal.ts";

/** The most coupons that one call resolves, so that a worker can stop in between. */
const BATCH = 200;

/**
 * Resolves coupons that a crash, a timeout or a lost response left between two steps, and removes the codes of coupons that
 * expired or left a cart. Each coupon is processed by one node at a time. Does nothing where no platform can be called. Returns how many
 * were checked.
 */
export async function resolveCoupons(deps: Deps): Promise<number> {
  const port = openCouponPort(deps)?.coupons;
  if (port === undefined) return 0;
  await beginExpired(deps.db, deps.clock.now(), deps.random.uid());
  await deps.db.tx(async (tx) => beginReleased(tx, await takeReleased(tx, BATCH), deps.random.uid()));
  let looks = 0;
  while (looks < BATCH) {
    const creation = await claimDiscountCreation(deps.db, deps.random.uid());
    if (creation !== undefined) await alone(deps, creation.draft.uid, resolveDiscountCreation(deps, port, creation));
    const removal = await claimDiscountRemoval(deps.db, deps.random.uid());
    if (removal !== undefined) await alone(deps, removal.couponUid, resolveDiscountRemoval(deps, port, removal));
    if (creation === undefined && removal === undefined) break;
    looks += 1;
  }
  return looks;
}

/** A coupon that fails waits until its lease has expired, and does not stop the others. */
async function alone(deps: Deps, coupon: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    deps.log.error({ error, coupon }, "a coupon's code could not be settled");
  }
}
