import { setTimeout as delay } from "node:timers/promises";
import { runAsSystem } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { NotErasedError } from "./not-erased-error.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import { redactCustomer } from "./redact-customer.ts";
import { selectAwaited, selectUnprocessed } from "./redaction-queries.ts";

const PAUSE_MS = 500;
/** All tries of a receipt take 156 seconds. */
const LIMIT_MS = 600_000;

/**
 * Erases a customer, like `redactCustomer`, after everything that has arrived about the customer is processed, with all tries: a platform's redaction
 * waits for the same. It processes this itself, because the service may be stopped; call it outside every transaction. A platform's redaction
 * that waits for its orders is not waited for: it stays to be processed. Throws, and has erased nothing, if the rest takes longer than the limit.
 */
export async function redactAfterEarlier(
  deps: Deps,
  named: { readonly customerId: string; readonly appReference: string },
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const subject = `customer/${named.customerId}`;
  const keys = await selectUnprocessed(deps.db, subject);
  if (keys.length > 0) deps.log.warn({ subject, count: keys.length }, "what arrived before is processed first");
  await processAwaited(deps, keys, performance.now() + limitMs);
  await deps.db.tx((tx) => redactCustomer(tx, deps, named));
}

/** Processes receipts until none is left but those that wait for others. */
async function processAwaited(deps: Deps, keys: readonly Buffer[], endMs: number): Promise<void> {
  for (;;) {
    const subjects = await selectAwaited(deps.db, keys);
    if (subjects.length === 0) return;
    if (performance.now() >= endMs) throw new NotErasedError(subjects);
    let isIdle = true;
    for (const subject of subjects) {
      const processed = await runAsSystem(() => processNextReceipt(deps, subject));
      if (processed === "processed") isIdle = false;
    }
    if (isIdle) await delay(PAUSE_MS);
  }
}
