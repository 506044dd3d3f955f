import { lockMover } from "../allowance/queries.ts";
import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockBalances } from "../ledger/balance-queries.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { addDays, formatInstant } from "../time/store-time.ts";
import { newRequest, REQUEST_DAYS } from "./adjustment-request.ts";
import { insertMergeRequest, selectWaitingMerge } from "./change-queries.ts";
import type { MergeResult } from "./try-merge.ts";

/**
 * Stores a merge that a person may not do alone, with the result of trying it. If the same person has already requested it, that request is used.
 * Throws `merge_waits` (409) if another person has requested it, or it waits in the other direction, and `request_changed` (409) if one of the two
 * was merged or deleted since.
 */
export async function requestMerge(
  deps: Pick<Deps, "db" | "clock" | "random">,
  { staffUid, staffName }: { readonly staffUid: string; readonly staffName: string },
  { kept, removed, over }: MergeResult,
): Promise<{ readonly storefrontId: string; readonly isRequested: true }> {
  if (over === null) throw new Error("a merge within the allowance needs no request");
  const { storefrontId } = kept.customer;
  return deps.db.tx(async (tx) => {
    await lockMover(tx, staffUid);
    const at = deps.clock.now();
    if (await isWaiting(tx, { kept, removed }, { staffUid, at })) return { storefrontId, isRequested: true };
    const { store } = await readProgram(tx);
    const by = { uid: staffUid, name: staffName };
    const expiresAt = addDays(at, REQUEST_DAYS, store.timeZone);
    const uid = deps.random.uid();
    await insertMergeRequest(tx, {
      ...newRequest({ uid, by, at, expiresAt }),
      kind: "merge",
      bucket: kept.customer.bucket,
      customerUid: kept.customer.customerUid,
      pointValue: over.pointValue,
      excess: over.excess,
      earlierPoints: over.earlier,
      earlierOfDay: over.earlierOfDay,
      removedUid: removed.customer.customerUid,
      removedId: removed.customer.storefrontId,
    });
    const moved = removed.balance.ledger.ledgerPoints;
    const after = {
      request: uid,
      merged: removed.customer.storefrontId,
      point_value: moved,
      counted_points: over.pointValue,
    };
    const subject = { kind: "customer", id: storefrontId };
    await recordAction(tx, deps, { action: "customer.merge_requested", subject, after });
    return { storefrontId, isRequested: true };
  });
}

/**
 * Whether the person has already requested it. Locks both balances, so that the second of two simultaneous requesters finds the first one's request.
 */
async function isWaiting(
  tx: Tx,
  { kept, removed }: Pick<MergeResult, "kept" | "removed">,
  { staffUid, at }: { readonly staffUid: string; readonly at: Temporal.Instant },
): Promise<boolean> {
  const pair = [kept.customer, removed.customer] as const;
  const locked = await lockBalances(tx, pair);
  if (locked.length < pair.length || locked.some(({ isDeleted }) => isDeleted)) throw new Problem("request_changed");
  const waiting = await selectWaitingMerge(tx, pair, at);
  if (waiting === undefined) return false;
  const isSameWay = waiting.customerUid === kept.customer.customerUid;
  if (isSameWay && waiting.requestedBy === staffUid) return true;
  const [stays, goes] = isSameWay ? [kept, removed] : [removed, kept];
  const asked = `${waiting.requestedName} asked at ${formatInstant(waiting.requestedAt)}`;
  const what = `to merge ${goes.customer.storefrontId} into ${stays.customer.storefrontId}`;
  const detail = `${asked} ${what}: that request has to be decided first`;
  throw new Problem("merge_waits", { faults: [{ detail }] });
}
