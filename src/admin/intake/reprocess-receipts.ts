import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { reprocessReceipt } from "../../intake/reprocess-receipt.ts";
import { Problem } from "../../problems.ts";
import { selectStuckUids } from "./queries.ts";
import type { ReprocessAllAnswer, ReprocessAllBody } from "./schema.ts";

/** The maximum number of receipts per call. */
const CALL_ROWS_MAX = 500;

/**
 * Processes the receipts of a state again, in the order of their arrival, each in a separate transaction, at most 500 per call: the caller continues
 * at `next`. Receipts without a body are skipped.
 */
export async function reprocessReceipts(
  deps: Pick<Deps, "db" | "clock" | "wake">,
  { state, after }: ReprocessAllBody,
): Promise<ReprocessAllAnswer["data"]> {
  const uids = await selectStuckUids(deps.db, { state, after: after ?? null, rows: CALL_ROWS_MAX });
  let reprocessed = 0;
  try {
    for (const uid of uids) if (await isReprocessed(deps, uid)) reprocessed++;
  } finally {
    const subject = { kind: "receipt", id: state };
    await recordAction(deps.db, deps, { action: "receipts.reprocessed", subject, after: { reprocessed } });
  }
  return { reprocessed, next: uids.length < CALL_ROWS_MAX ? null : (uids.at(-1) ?? null) };
}

async function isReprocessed(deps: Pick<Deps, "db" | "wake">, uid: string): Promise<boolean> {
  try {
    await deps.db.tx((tx) => reprocessReceipt(tx, deps, uid));
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
