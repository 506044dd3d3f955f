import type { Deps } from "../../src/deps.ts";
import { advanceSettledMark } from "../../src/ledger/settled-mark/advance-settled-mark.ts";
import { waitUntil } from "./wait-until.ts";

/** Waits until every allotment of the store is settled: transactions of other databases of the server can delay that. */
export async function waitUntilSettled(deps: Deps): Promise<void> {
  await waitUntil(async () => {
    await advanceSettledMark(deps);
    const rows = await deps.db.query("select from allotment a, ledger_mark m where a.allotted_at > m.settled_at");
    return rows.length === 0;
  });
}
