import type { Deps } from "../deps.ts";
import { selectDueSubjects } from "./receipt-queries.ts";

/** Returns when a receipt is due by the business clock, for the sandbox: now if one can be processed, because none waits for a time. */
export async function nextReceiptDueAt(deps: Pick<Deps, "db" | "clock">): Promise<Temporal.Instant | null> {
  return (await selectDueSubjects(deps.db)).length > 0 ? deps.clock.now() : null;
}
