import { lockMover } from "../allowance/queries.ts";
import { recordAction } from "../audit/record-action.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { addDays } from "../time/store-time.ts";
import { newRequest, REQUEST_DAYS } from "./adjustment-request.ts";
import { insertMergeRequest, selectWaitingMerge } from "./change-queries.ts";
import type { MergeResult } from "./try-merge.ts";

/** Keeps a merge that a person may not do alone, as it came to when it was tried; asked for by anybody already, it is that request. */
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
    const pair = { kept: kept.customer, removedUid: removed.customer.customerUid };
    if ((await selectWaitingMerge(tx, pair, at)) !== undefined) return { storefrontId, isRequested: true };
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
    const after = { request: uid, merged: removed.customer.storefrontId, point_value: over.pointValue };
    const subject = { kind: "customer", id: storefrontId };
    await recordAction(tx, deps, { action: "customer.merge_requested", subject, after });
    return { storefrontId, isRequested: true };
  });
}
