import { type MemberClaim, takeClaim } from "../customers/claim-queries.ts";
import { selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { runEach } from "../orders/run-each.ts";
import { mergeCustomers } from "./merge-customers.ts";

const APP_REFERENCE = "import";

/**
 * Merges each member who was known only by e-mail into the customer who turned out to have the address: points with their dates and the
 * tier go to the customer. A customer who was deleted meanwhile gets nothing: the member waits for the next one. A merge that fails is
 * logged, tried again by the next call, and stops no other. Returns how many were merged.
 */
export async function mergeClaimedMembers(deps: PostingDeps & Pick<Deps, "db" | "log">): Promise<number> {
  let merged = 0;
  await runEach<MemberClaim>(deps, {
    what: "merging a member",
    idOf: ({ memberId }) => memberId,
    lockNext: takeClaim,
    work: async (tx, claim) => {
      if (await mergeOne(tx, deps, claim)) tx.afterCommit(() => void merged++);
    },
  });
  return merged;
}

async function mergeOne(tx: Tx, deps: PostingDeps, { memberId, customerId }: MemberClaim): Promise<boolean> {
  const customer = await selectByStorefrontId(tx, customerId);
  if (customer === undefined || customer.deletedAt !== null) return false;
  await mergeCustomers(tx, deps, { keptId: customerId, removedId: memberId, appReference: APP_REFERENCE });
  return true;
}
