import type { ReadDeps } from "../deps.ts";
import { journalCsv } from "./journal.ts";
import { readLiability } from "./read-liability.ts";

/** The journal entries of a month (`2026-10`) as a CSV file: its name and its text. Throws `invalid` for a month without a journal. */
export async function readJournal(
  deps: Pick<ReadDeps, "db" | "clock">,
  month: string,
): Promise<{ readonly name: string; readonly text: string }> {
  const liability = await readLiability(deps, month);
  const isClosed = liability.closed.some((each) => each.month === liability.month);
  const text = journalCsv(liability.month, liability.deferrals, { currency: liability.currency, isClosed });
  return { name: `liability-${month}.csv`, text };
}
