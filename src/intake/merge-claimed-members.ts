import { type MemberClaim, selectClaims, takeClaim } from "../customers/claim-queries.ts";
import { selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { mergeCustomers } from "./merge-customers.ts";

const BATCH = 100;
const APP_REFERENCE = "import";

/**
 * Merges each member who was known only by e-mail into the customer who turned out to have the address: points with their dates and the
 * tier go to the customer. A customer who was deleted meanwhile gets nothing: the member waits for the next one. Returns how many were
 * merged.
 */
export async function mergeClaimedMembers(deps: PostingDeps & Pick<Deps, "db">): Promise<number> {
  let merged = 0;
  for (;;) {
    const claims = await selectClaims(deps.db, BATCH);
    for (const claim of claims) if (await mergeOne(deps, claim)) merged++;
    if (claims.length < BATCH) return merged;
  }
}

function mergeOne(deps: PostingDeps & Pick<Deps, "db">, { memberId }: MemberClaim): Promise<boolean> {
  return deps.db.tx(async (tx) => {
    const claim = await takeClaim(tx, memberId);
    if (claim === undefined) return false;
    const customer = await selectByStorefrontId(tx, claim.customerId);
    if (customer === undefined || customer.deletedAt !== null) return false;
    await mergeCustomers(tx, deps, { keptId: claim.customerId, removedId: memberId, appReference: APP_REFERENCE });
    return true;
  });
}
