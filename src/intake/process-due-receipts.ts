import type { Deps } from "../deps.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import { selectDueSubjects } from "./receipt-queries.ts";

/** Subjects that are processed at a time, each with a connection. */
const CONCURRENCY = 8;
/** Receipts of one subject in a row, so that a busy one holds up no other. */
const IN_A_ROW_MAX = 50;

export interface Round {
  readonly processed: number;
  /** Subjects that another worker is processing. */
  readonly busy: number;
  /** What the database answered where it was away; nothing was counted there. */
  readonly faults: readonly unknown[];
}

/**
 * Processes what is due, a round: several subjects beside each other, the receipts of each one after the other. As many as were due
 * when the round began: what comes meanwhile is the next round's, so that no subject is asked again only to find that nothing is left.
 */
export async function processDueReceipts(deps: Deps, signal?: AbortSignal): Promise<Round> {
  const subjects = (await selectDueSubjects(deps.db)).entries();
  const faults: unknown[] = [];
  const round = { processed: 0, busy: 0, faults };
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const due of subjects) {
      if (signal?.aborted === true) return;
      await processSubject(deps, due, round, signal);
    }
  });
  await Promise.all(workers);
  return round;
}

async function processSubject(
  deps: Deps,
  [subject, due]: readonly [string, number],
  round: { processed: number; busy: number; readonly faults: unknown[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for (let n = 0; n < Math.min(due, IN_A_ROW_MAX) && signal?.aborted !== true; n++) {
      const answer = await processNextReceipt(deps, subject);
      if (answer === "busy") round.busy += 1;
      if (answer !== "processed") return;
      round.processed += 1;
    }
  } catch (error) {
    round.faults.push(error);
  }
}
