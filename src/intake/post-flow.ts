import type { CustomerRow } from "../customers/customer.ts";
import { findCustomer } from "../customers/find-customer.ts";
import type { Tx } from "../db/pool.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import { plainPosting } from "../ledger/posting.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import type { FlowAdjustRequested } from "../platforms/neutral-events.ts";
import { Problem } from "../problems.ts";

/**
 * Gives or takes the points of a workflow's run, once (type `flow`, key `flow/<run>`, program.md 3). They extend the expiry if the run says so
 * (program.md 5). Returns the customer whose points moved and how many, even if the run was counted before. Throws `customer_not_found`,
 * `ambiguous_email`, `negative_balance`, `balance_limit`.
 */
export async function postFlow(
  tx: Tx,
  deps: PostingDeps,
  adjustment: FlowAdjustRequested["payload"],
  appReference: string,
): Promise<{ readonly customer: CustomerRow; readonly pointValue: bigint }> {
  const { runId, customer: named, pointValue, extendsExpiration, note } = adjustment;
  const customer = await findCustomer(tx, "id" in named ? named.id : named.email);
  const change = { kind: "add", pointValue, shortfall: "refuse" } as const;
  const posting = {
    ...plainPosting(deps.random.uid(), "flow", appReference, change),
    sourceKey: `flow/${runId}`,
    origin: pointValue > 0n ? "promotion" : null,
    note,
    extends: extendsExpiration ? "credit" : "never",
  } as const;
  const [outcome] = await postAllotments(tx, deps, [{ customer, posting }]);
  if (outcome?.kind === "refused") throw new Problem(outcome.code);
  if (outcome?.kind !== "posted" && outcome?.kind !== "duplicate") throw new Error("a run's points did not move");
  return { customer, pointValue: outcome.pointValue };
}
