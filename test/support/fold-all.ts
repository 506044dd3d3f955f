import type { Deps } from "../../src/deps.ts";
import { selectBooks } from "../../src/figures/book-queries.ts";
import { foldFigures } from "../../src/figures/fold-figures.ts";
import { foldStandings } from "../../src/figures/fold-standings.ts";
import { selectStanding } from "../../src/figures/standing-queries.ts";
import { waitUntil } from "./wait-until.ts";

const NEWEST = `select max(allotted_at) as "newestAt" from allotment`;

/** Until the figures have all that is in the ledger: transactions of other databases of the server can hold the settled mark up. */
export async function foldAll(deps: Deps): Promise<void> {
  await waitUntil(async () => {
    const isDone = (await foldFigures(deps)) && (await foldStandings(deps));
    const [[row], books, standing] = await Promise.all([
      deps.db.query<{ newestAt: Temporal.Instant | null }>(NEWEST),
      selectBooks(deps.db),
      selectStanding(deps.db),
    ]);
    const newestAt = row?.newestAt ?? null;
    const hasPassed = (at: Temporal.Instant | null) =>
      newestAt === null || (at !== null && Temporal.Instant.compare(at, newestAt) >= 0);
    return (
      isDone &&
      books.length === 1 &&
      books.every((book) => hasPassed(book.allottedAt)) &&
      hasPassed(standing.allottedAt)
    );
  });
}
