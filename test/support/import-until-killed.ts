import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { openPool } from "../../src/db/pool.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { createLog } from "../../src/log.ts";
import { createRandom } from "../../src/random.ts";
import { testSecretBox } from "./secret-box.ts";

/**
 * A node that works on the imports of the database in its first argument (connection settings as JSON), at the store's time in the second, until it
 * is killed.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const deps = createDeps({
  config: readConfig({ PORT: "0" }),
  db: openPool({ connection: JSON.parse(connection), connectionsMax: 6 }),
  clock: { now: () => Temporal.Instant.from(now) },
  random: createRandom(),
  log: createLog({ level: "error", pretty: true }),
  wake: createWakeHub().wake,
  secretBox: testSecretBox,
});
for (;;) {
  await workImports(deps);
  await delay(5);
}
