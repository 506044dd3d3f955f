import { lockMover } from "../allowance/queries.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { mergeDigest } from "./merge-digest.ts";
import { type AskedMerge, tryMerge } from "./try-merge.ts";

/**
 * Makes one customer of two as the person was shown: a merge that comes to anything else is refused (409 `request_changed`). Sent again, it
 * is done once. Returns the survivor's id. Throws as `tryMerge`.
 */
export async function mergeByHand(deps: Deps, asked: AskedMerge & { readonly seen: string }): Promise<string> {
  return deps.db.tx(async (tx) => {
    await lockMover(tx, asked.staffUid); // a second click sees what the first one did
    const kept = await findCustomer(tx, asked.kept);
    const removed = await findCustomer(tx, asked.removed);
    // the id of one who was merged leads to the survivor
    const isDone = removed.customerUid === kept.customerUid && removed.storefrontId !== asked.removed;
    if (isDone && !asked.removed.includes("@")) return kept.storefrontId;
    const result = await tryMerge(tx, deps, asked);
    if (mergeDigest(result) !== asked.seen) throw new Problem("request_changed");
    return result.after.customer.storefrontId;
  });
}
