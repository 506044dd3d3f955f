import { openPool } from "../../src/db/pool.ts";
import { createLog } from "../../src/log.ts";
import { createRandom } from "../../src/random.ts";
import { evaluateTiers } from "../../src/tiers/evaluate-tiers.ts";

/**
 * A node that makes the due tier checks in the database in its first argument (connection settings as JSON), at the store's time in the second, until
 * it is killed.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const clock = { now: () => Temporal.Instant.from(now) };
const log = createLog({ level: "error", pretty: false });
const deps = { db, clock, log, random: createRandom(), postings: { isBusy: () => false } }; // no requests here
process.stdout.write("checking\n");
for (;;) {
  await evaluateTiers(deps, { chunkCustomers: 10 });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
