import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { Outcome } from "../ledger/posting.ts";
import { postingRow } from "./plan/posting-result.ts";
import { raiseTasks } from "./raise-tasks.ts";
import { readClaimed } from "./read-claimed.ts";
import type { CappedPosting, OrderPostingRow } from "./store-order.ts";

/**
 * Returns the rows to store for an order's requests, with what the balances gave or took. A request that was refused, or whose key
 * something else has used, creates a task for the staff and is not repeated (program.md 4). `outcomeOf`: the outcomes of the requests, by
 * natural key.
 */
export async function settleOutcomes(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { orderId, postings }: { readonly orderId: string; readonly postings: readonly CappedPosting[] },
  outcomeOf: ReadonlyMap<string, Outcome | undefined>,
): Promise<OrderPostingRow[]> {
  const keys = postings.map(({ planned }) => planned.key);
  const repeated = keys.filter((key) => outcomeOf.get(key)?.kind === "duplicate");
  const claimed = await readClaimed(tx, orderId, repeated);
  const rows = postings.map((posting) => {
    const { key } = posting.planned;
    return postingRow(posting, outcomeOf.get(key), claimed.get(key));
  });
  const lost = rows.flatMap((row, i) => {
    const { cappedPoints = 0n } = postings[i] ?? {};
    return row.result === "refused" || row.result === "duplicate" ? [{ ...row, points: cappedPoints }] : [];
  });
  await raiseTasks(tx, deps, orderId, lost);
  return rows;
}
