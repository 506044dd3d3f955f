import type { AdjustedPoints } from "../../../src/admin/customers/schema.ts";
import type { ledgerWords } from "./ledger-words.ts";

/** Returns what happened to an adjustment that was not posted, in the page's language; null: it was posted. */
export function notPosted(state: AdjustedPoints["state"], t: (typeof ledgerWords)["en"]): string | null {
  if (state === "posted") return null;
  return state === "waiting" ? t.requested : t.decidedAlready[state];
}
