import { openPool } from "../../src/db/pool.ts";
import { createRandom } from "../../src/random.ts";
import { designateTiers } from "../../src/tiers/designate-tiers.ts";

/**
 * A node that makes the tier checks due in the database of its first argument (connection settings as JSON), at the store's time
 * of the second, until it is killed.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const deps = { db, clock: { now: () => Temporal.Instant.from(now) }, random: createRandom() };
process.stdout.write("checking\n");
for (;;) {
  await designateTiers(deps, { chunkCustomers: 10 });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
