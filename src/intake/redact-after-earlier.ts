import { setTimeout as delay } from "node:timers/promises";
import { runAsSystem } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import { selectStatuses } from "./receipt-queries.ts";
import { redactCustomer } from "./redact-customer.ts";
import { selectUnprocessed } from "./redaction-queries.ts";

const PAUSE_MS = 500;

/**
 * Erases a customer, like `redactCustomer`, after everything that has arrived about the customer is processed, with all tries: a platform's redaction
 * waits for the same. It processes this itself, because the service may be stopped; call it outside every transaction.
 */
export async function redactAfterEarlier(
  deps: Deps,
  named: { readonly customerId: string; readonly appReference: string },
): Promise<void> {
  const subject = `customer/${named.customerId}`;
  const keys = await selectUnprocessed(deps.db, subject);
  if (keys.length > 0) deps.log.warn({ subject, count: keys.length }, "what arrived before is processed first");
  while ((await selectStatuses(deps.db, keys)).some(({ state }) => state === "new")) {
    const processed = await runAsSystem(() => processNextReceipt(deps, subject));
    if (processed !== "processed") await delay(PAUSE_MS);
  }
  await deps.db.tx((tx) => redactCustomer(tx, deps, named));
}
