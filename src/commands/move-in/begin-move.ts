import type { Deps } from "../../deps.ts";
import { publishWatermark } from "../../ledger/settled-mark/publish-watermark.ts";

/** Returns the time at which a call of the command begins. Merges since then are found by it; a dry run compares nothing with it, and writes nothing. */
export async function beginMove(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Temporal.Instant> {
  const now = clock.now();
  if (!isDryRun) await publishWatermark(db, now);
  return now;
}
