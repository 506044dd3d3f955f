import type { Deps } from "../deps.ts";
import { readProgram } from "../shop/read-program.ts";
import { nextEdition } from "./book.ts";
import { carryOut, lockBooks } from "./book-queries.ts";
import { forgetStandings, lockStanding } from "./standing-queries.ts";

/**
 * Begins all figures anew: the workers make them from the ledger. The sums by day that are shown stay until the new ones are done;
 * expected expiries and active customers grow again from nothing, which is told with them.
 */
export async function rebuildFigures(deps: Pick<Deps, "db">): Promise<void> {
  await deps.db.tx(async (tx) => {
    const books = await lockBooks(tx);
    const { store } = await readProgram(tx);
    const drop = books.find(({ isShown }) => !isShown) ?? null;
    await carryOut(tx, { drop, open: { edition: nextEdition(books), timeZone: store.timeZone } });
  });
  await deps.db.tx(async (tx) => {
    await lockStanding(tx);
    await forgetStandings(tx);
  });
}
