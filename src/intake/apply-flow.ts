import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import type { FlowAdjustRequested } from "../platforms/neutral-events.ts";
import { postFlow } from "./post-flow.ts";

/**
 * Gives or takes the points of a workflow's run that a neutral event tells. A test gives nothing. Throws `customer_not_found`,
 * `ambiguous_email`, `negative_balance`, `balance_limit`: the receipt tells.
 */
export async function applyFlow(tx: Tx, deps: PostingDeps, event: FlowAdjustRequested): Promise<void> {
  if (event.test) return;
  await postFlow(tx, deps, event.payload, `${event.platform}_integration`);
}
