import { setTimeout as delay } from "node:timers/promises";
import { runAsSystem } from "../actor.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { NotErasedError } from "./not-erased-error.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import { readRedactedSubjects } from "./read-redacted-subjects.ts";
import { redactCustomer } from "./redact-customer.ts";
import { retryFailed, selectAwaited, selectUnprocessed } from "./redaction-queries.ts";

const PAUSE_MS = 500;
/** All tries of a receipt take 156 seconds. */
const LIMIT_MS = 600_000;

/**
 * Erases a customer, like `redactCustomer`, after everything that has arrived about the customer, those who were merged into this one and their orders
 * is processed, with all tries: a platform's redaction waits for the same. It processes this itself, because the service may be stopped; call it outside
 * every transaction. A platform's redaction that waits for its orders is not waited for: it stays to be processed. Throws, and has erased nothing, if
 * the rest takes longer than the limit.
 */
export async function redactAfterEarlier(
  deps: Deps,
  named: { readonly customerId: string; readonly appReference: string },
  limitMs: number = LIMIT_MS,
): Promise<void> {
  const keys = await deps.db.tx((tx) => findEarlier(tx, named));
  const subject = `customer/${named.customerId}`;
  if (keys.length > 0) deps.log.warn({ subject, count: keys.length }, "what arrived before is processed first");
  await processAwaited(deps, keys, performance.now() + limitMs);
  await deps.db.tx((tx) => redactCustomer(tx, deps, named));
}

/** Returns the keys of the receipts that are processed before, and has those that have failed tried again. */
async function findEarlier(tx: Tx, named: { readonly customerId: string }): Promise<Buffer[]> {
  const subjects = await readRedactedSubjects(tx, named);
  await retryFailed(tx, subjects);
  return selectUnprocessed(tx, subjects);
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
