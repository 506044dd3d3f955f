import { openPool } from "../../src/db/pool.ts";
import { foldFigures } from "../../src/figures/fold-figures.ts";
import { foldStandings } from "../../src/figures/fold-standings.ts";

/**
 * A node that keeps the figures of the database of its first argument (connection settings as JSON), at the store's time of the second,
 * in small steps, until it is killed.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const deps = { db, clock: { now: () => Temporal.Instant.from(now) }, postings: { isBusy: () => false } }; // no requests here
process.stdout.write("folding\n");
for (;;) {
  await foldFigures(deps, { size: 3, steps: 2 });
  await foldStandings(deps, { size: 3, steps: 2 });
}
