import { systemClock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { openPool } from "../../src/db/pool.ts";
import { runJob } from "../../src/jobs/run-job.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { createLog } from "../../src/log.ts";
import { createRandom } from "../../src/random.ts";
import { testSecretBox } from "./secret-box.ts";
import { SWEEP_LEASE_MS, sweepJob } from "./sweep-job.ts";

/**
 * A node that sweeps the database in its first argument (connection settings as JSON), at the store's time in the second, as soon as it gets the job,
 * until it is killed. Prints "sweeping" each time it gets it.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const deps = createDeps({
  config: readConfig({ PORT: "0" }),
  db,
  clock: now === "" ? systemClock : { now: () => Temporal.Instant.from(now) },
  random: createRandom(),
  log: createLog({ level: "error", pretty: true }),
  wake: createWakeHub().wake,
  secretBox: testSecretBox,
});
const job = sweepJob(() => void process.stdout.write("sweeping\n"));
for (;;) {
  await runJob(deps, job, { leaseMs: SWEEP_LEASE_MS });
  await new Promise((resolve) => setTimeout(resolve, 5));
}
