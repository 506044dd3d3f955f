import { lockMover } from "../allowance/queries.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { mergeDigest } from "./merge-digest.ts";
import { requestMerge } from "./request-merge.ts";
import { type MergeInput, type MergeResult, tryMerge } from "./try-merge.ts";

export interface MergedByHand {
  /** The survivor's. */
  readonly storefrontId: string;
  /** Nothing is merged yet: a second person has to approve it. */
  readonly isRequested: boolean;
}

/**
 * Merges two customers as the person was shown; a merge with any other result is refused (409 `request_changed`). One whose points are more
 * than the person may move alone becomes a request. A repeated send has no second effect. Throws like `tryMerge` and `requestMerge`.
 */
export async function mergeByHand(
  deps: Deps,
  asked: MergeInput & { readonly staffName: string; readonly seen: string },
): Promise<MergedByHand> {
  const rollback = new Error("a merge above the allowance is rolled back, and asked for");
  const over: MergeResult[] = [];
  try {
    return await deps.db.tx(async (tx) => {
      await lockMover(tx, asked.staffUid); // a second click sees the first one's result
      const kept = await findCustomer(tx, asked.kept);
      const removed = await findCustomer(tx, asked.removed);
      // the id of a merged customer finds the survivor
      const isDone = removed.customerUid === kept.customerUid && removed.storefrontId !== asked.removed;
      if (isDone && !asked.removed.includes("@")) return { storefrontId: kept.storefrontId, isRequested: false };
      const result = await tryMerge(tx, deps, asked);
      if (mergeDigest(result) !== asked.seen) throw new Problem("request_changed");
      if (result.over === null) return { storefrontId: result.after.customer.storefrontId, isRequested: false };
      over.push(result);
      throw rollback;
    });
  } catch (error) {
    const result = over.at(-1);
    if (error !== rollback || result === undefined) throw error;
    return requestMerge(deps, asked, result);
  }
}
