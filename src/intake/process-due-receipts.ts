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

/** Processes what is due, a round: several subjects beside each other, the receipts of each one after the other. */
export async function processDueReceipts(deps: Deps, signal?: AbortSignal): Promise<Round> {
  const subjects = (await selectDueSubjects(deps.db)).values();
  const faults: unknown[] = [];
  const round = { processed: 0, busy: 0, faults };
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const subject of subjects) {
      if (signal?.aborted === true) return;
      await processSubject(deps, subject, round, signal);
    }
  });
  await Promise.all(workers);
  return round;
}

async function processSubject(
  deps: Deps,
  subject: string,
  round: { processed: number; busy: number; readonly faults: unknown[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for (let n = 0; n < IN_A_ROW_MAX && signal?.aborted !== true; n++) {
      const answer = await processNextReceipt(deps, subject);
      if (answer === "busy") round.busy += 1;
      if (answer !== "processed") return;
      round.processed += 1;
    }
  } catch (error) {
    round.faults.push(error);
  }
}
