import type { Tx } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import { lotExpiry } from "../ledger/expiry/expiry.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import {
  type AllotmentFacts,
  type CouponFacts,
  type DrawFacts,
  selectActiveAt,
  selectAllotment,
  selectCoupon,
  selectDrawsBy,
  selectDrawsOf,
  selectLotsOf,
} from "./allotment-queries.ts";
import type { AllotmentExplanation, ExpirationPart, OrderPart } from "./explanation.ts";
import { orderExplanation } from "./order-explanation.ts";
import { selectOrder, selectOrderOf, selectOrderPostings, selectOrderReceipts } from "./order-queries.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the explanation of an allotment: inputs, rules, rounding, draws, the received events and the requester. It is computed from stored data by
 * the functions that award points, as of one moment. Throws `not_found`, also if the customer was deleted.
 */
export async function explainAllotment(deps: Pick<ReadDeps, "db">, uid: string): Promise<AllotmentExplanation> {
  if (!UUID.test(uid)) throw new Problem("not_found");
  return deps.db.snapshot(async (tx) => {
    const allotment = await selectAllotment(tx, uid);
    if (allotment === undefined) throw new Problem("not_found");
    const [{ store, expiration }, draws, usedBy, lots, activeAt, order, coupon] = await Promise.all([
      readProgram(tx),
      selectDrawsBy(tx, allotment),
      selectDrawsOf(tx, allotment),
      selectLotsOf(tx, allotment),
      selectActiveAt(tx, allotment, null),
      readOrder(tx, allotment),
      readCoupon(tx, allotment),
    ]);
    const rules = { ...expiration, timeZone: store.timeZone };
    return {
      allotment,
      currency: store.currency,
      timeZone: store.timeZone,
      draws,
      usedBy,
      lots: lots.map((lot) => ({ ...lot, goesAt: lotExpiry(lot, activeAt, rules) })),
      order,
      coupon,
      expiration: allotment.type === "expiration" ? await readExpiration(tx, allotment, draws) : null,
    };
  });
}

async function readOrder(tx: Tx, allotment: AllotmentFacts): Promise<OrderPart | null> {
  const found = await selectOrderOf(tx, allotment);
  const orderId = found?.orderId ?? (allotment.parent?.startsWith("order-") ? allotment.parent.slice(6) : null);
  if (orderId === null) return null;
  const [kept, posted, received] = await Promise.all([
    selectOrder(tx, orderId),
    selectOrderPostings(tx, orderId),
    selectOrderReceipts(tx, orderId),
  ]);
  if (kept === undefined || kept.rules === null) return null;
  const { facts, rules } = kept;
  const row = posted.find(({ uid }) => uid === allotment.uid);
  const isOwn = row !== undefined && !row.cause.startsWith("coupon_return/");
  const explanation = isOwn ? orderExplanation({ facts, rules, posted }, row) : null;
  return { orderId, kept: { ...kept, rules }, posted, received, explanation };
}

async function readCoupon(tx: Tx, { object }: AllotmentFacts): Promise<CouponFacts | null> {
  const uid = object?.startsWith("coupon-") ? object.slice("coupon-".length) : "";
  return UUID.test(uid) ? ((await selectCoupon(tx, uid)) ?? null) : null;
}

async function readExpiration(tx: Tx, allotment: AllotmentFacts, draws: readonly DrawFacts[]): Promise<ExpirationPart> {
  const [{ expiration, store }, activeAt] = await Promise.all([
    readProgramVersion(tx, allotment.programVersion),
    selectActiveAt(tx, allotment, allotment.version),
  ]);
  const rules = { ...expiration, timeZone: store.timeZone };
  const dated = draws.map((draw) => ({
    ...draw,
    goesAt: lotExpiry({ expiresAt: draw.ownDate, since: draw.since }, activeAt, rules),
  }));
  return { rules, activeAt, draws: dated };
}
