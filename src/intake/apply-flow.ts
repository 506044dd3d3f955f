import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import { plainPosting } from "../ledger/posting.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import type { FlowAdjustRequested } from "../platforms/neutral-events.ts";
import { Problem } from "../problems.ts";

/**
 * Gives or takes the points of a workflow's run, once (type `flow`, key `flow/<run>`, program.md 3); it extends the expiry where
 * the event says so (program.md 5). A test gives nothing. Throws `customer_not_found`, `ambiguous_email`, `negative_balance`,
 * `balance_limit`: the receipt tells.
 */
export async function applyFlow(tx: Tx, deps: PostingDeps, event: FlowAdjustRequested): Promise<void> {
  if (event.test) return;
  const { runId, customer: named, pointValue, extendsExpiration, note } = event.payload;
  const customer = await findCustomer(tx, "id" in named ? named.id : named.email);
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "flow", `${event.platform}_integration`, change),
    sourceKey: `flow/${runId}`,
    origin: pointValue > 0n ? "promotion" : null,
    note,
    extends: extendsExpiration ? "credit" : "never",
  } as const;
  const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
}
