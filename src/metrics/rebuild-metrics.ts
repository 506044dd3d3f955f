import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { forgetStandings, lockStanding } from "./customer-queries.ts";
import { nextGeneration } from "./rollup.ts";
import { carryOut, lockRollups } from "./rollup-queries.ts";

/**
 * Begins all figures anew: the workers make them from the ledger. The sums by day that are shown stay until the new ones are done;
 * expected expiries and active customers grow again from nothing, which is told with them.
 */
export async function rebuildMetrics(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    const books = await lockRollups(tx);
    const { store } = await readProgram(tx);
    const drop = books.find(({ isShown }) => !isShown) ?? null;
    await carryOut(tx, { drop, open: { edition: nextGeneration(books), timeZone: store.timeZone } });
  });
  await deps.db.tx(async (tx) => {
    await lockStanding(tx);
    await forgetStandings(tx);
  });
}
