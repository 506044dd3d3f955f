import { systemClock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { openPool } from "../../src/db/pool.ts";
import { processDueReceipts } from "../../src/intake/process-due-receipts.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { createLog } from "../../src/log.ts";
import { createRandom } from "../../src/random.ts";
import { testSecretBox } from "./secret-box.ts";

/** A node that processes the receipts of the database in its argument (connection settings as JSON) until it is killed. Prints "processing" first. */
const [connection = "{}"] = process.argv.slice(2);
const deps = createDeps({
  config: readConfig({ PORT: "0" }),
  db: openPool({ connection: JSON.parse(connection), connectionsMax: 12 }),
  clock: systemClock,
  random: createRandom(),
  log: createLog({ level: "error", pretty: true }),
  wake: createWakeHub().wake,
  secretBox: testSecretBox,
});
process.stdout.write("processing\n");
for (;;) {
  const { processed } = await processDueReceipts(deps);
  if (processed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}
