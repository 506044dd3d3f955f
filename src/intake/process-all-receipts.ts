import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { processDueReceipts } from "./process-due-receipts.ts";

const FAULTY_ROUNDS_MAX = 10;
const PAUSE_MS = 10;

/** Processes receipts until nothing is due any more, here or in another worker. For tests and the sandbox. */
export async function processAllReceipts(deps: Deps): Promise<void> {
  for (let faultyRounds = 0; ; ) {
    const { processed, busy, faults } = await processDueReceipts(deps);
    if (processed > 0) continue;
    if (busy === 0 && faults.length === 0) return;
    if (faults.length > 0 && ++faultyRounds > FAULTY_ROUNDS_MAX) throw faults[0];
    await delay(PAUSE_MS);
  }
}
