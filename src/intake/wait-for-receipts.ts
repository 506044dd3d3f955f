import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { ReceiptStatus } from "./receipt.ts";
import { selectStatuses } from "./receipt-queries.ts";

const FIRST_LOOK_MS = 5;
const LOOKS_APART_MAX_MS = 100;

/**
 * Waits until no receipt is `new` any more, or until the time is over. Returns the status of each, in the order of the keys. Any node may
 * process them, so it polls the database; call it outside every transaction.
 */
export async function waitForReceipts(
  deps: Pick<Deps, "db">,
  keys: readonly Buffer[],
  waitMs: number,
): Promise<ReceiptStatus[]> {
  const endMs = performance.now() + waitMs;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LOOKS_APART_MAX_MS)) {
    const statuses = await selectStatuses(deps.db, keys);
    const leftMs = endMs - performance.now();
    if (leftMs <= 0 || statuses.every(({ state }) => state !== "new")) return statuses;
    await delay(Math.min(pauseMs, leftMs));
  }
}
