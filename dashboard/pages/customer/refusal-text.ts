import type { ledgerWords } from "./ledger-words.ts";

/** Returns why an adjustment would be refused, in the page's language; null: it would not. */
export function refusalText(refusal: string | null, t: (typeof ledgerWords)["en"]): string | null {
  if (refusal === null) return null;
  if (refusal === "done_already") return t.doneAlready;
  if (refusal === "expired") return t.allExpired;
  return refusal === "balance_limit" ? t.tooMany : t.tooFew;
}
