import type { Tx } from "../db/pool.ts";
import type { CustomerPosting, PostingDeps } from "../ledger/queue/posting-batch.ts";
import { previewAllotments } from "../ledger/read/preview-allotments.ts";
import { expectedRow, ledgerPosting, postingRow } from "./plan/posting-result.ts";
import {
  type AssignedPosting,
  addRow,
  type CappedPosting,
  cappedPosting,
  type OrderPostingRow,
  type RowSums,
  type StoreOrder,
  sumRows,
} from "./store-order.ts";

export interface CapPostingsInput {
  /** Earlier postings of the same transaction. */
  readonly before: readonly CustomerPosting[];
  /** In the order in which they are posted. */
  readonly postings: readonly AssignedPosting[];
  /** The order's earlier postings. */
  readonly rows: readonly OrderPostingRow[];
  /** The order's points that were written off with deleted customers, by customer uid. Nothing is requested from these customers. */
  readonly gone: ReadonlyMap<string, bigint>;
}

/**
 * Decides how many points each planned posting requests from its balance. The set-off of an award depends on the result of the claw-backs
 * before it: if there are both, the balances are locked and the outcomes previewed first.
 */
export async function capPostings(
  tx: Tx,
  deps: PostingDeps,
  order: StoreOrder,
  input: CapPostingsInput,
): Promise<readonly CappedPosting[]> {
  const capped: CappedPosting[] = [];
  let sums = sumRows(input.rows);
  let isPreviewed = true;
  for (const posting of input.postings) {
    const isAward = posting.planned.pointValue > 0n && posting.planned.giveBack === null;
    if (isAward && !isPreviewed) {
      sums = sumRows([...input.rows, ...(await previewRows(tx, deps, order, input, capped))]);
      isPreviewed = true;
    }
    const one = cappedOf(posting, sums, input.gone);
    capped.push(one);
    addRow(sums, expectedRow(one));
    if (one.cappedPoints < 0n) isPreviewed = false;
  }
  return capped;
}

function cappedOf(posting: AssignedPosting, sums: RowSums, gone: ReadonlyMap<string, bigint>): CappedPosting {
  const one = cappedPosting(posting, sums);
  const lost = gone.get(posting.customer.customerUid);
  if (lost === undefined) return one;
  return { ...one, cappedPoints: 0n, takenElsewhere: lost < -one.cappedPoints ? lost : -one.cappedPoints };
}

/** Returns the rows that the postings so far will leave. */
async function previewRows(
  tx: Tx,
  deps: PostingDeps,
  order: StoreOrder,
  { before, postings, rows, gone }: CapPostingsInput,
  capped: readonly CappedPosting[],
): Promise<readonly OrderPostingRow[]> {
  const sent = capped.filter((one) => one.cappedPoints !== 0n);
  const first = sent.map((one) => ({
    customer: one.customer,
    posting: ledgerPosting(one, order, { uid: deps.random.uid(), rows }),
  }));
  const customers = [...before, ...postings].map(({ customer }) => customer);
  const outcomes = await previewAllotments(
    tx,
    deps,
    [...before, ...first],
    customers.filter(({ customerUid }) => !gone.has(customerUid)),
  );
  const outcomeOf = new Map(sent.map((one, i) => [one, outcomes[before.length + i]]));
  return capped.map((one) => {
    const outcome = outcomeOf.get(one);
    return outcome?.kind === "duplicate" ? expectedRow(one) : postingRow(one, outcome, undefined);
  });
}
