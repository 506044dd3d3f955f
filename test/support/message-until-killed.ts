import { readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { openPool } from "../../src/db/pool.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { createLog } from "../../src/log.ts";
import { sendMessages } from "../../src/messages/send-messages.ts";
import { createRandom } from "../../src/random.ts";
import { testSecretBox } from "./secret-box.ts";
import { smtpSettings } from "./smtp.ts";

/**
 * A node that queues messages of the database in its first argument (connection settings as JSON), at the store's time in the second, until it is
 * killed. Prints "queueing" when it begins.
 */
const [connection = "{}", now = ""] = process.argv.slice(2);
const db = openPool({ connection: JSON.parse(connection), connectionsMax: 4 });
const deps = createDeps({
  config: { ...readConfig({ PORT: "0" }), mail: smtpSettings({ port: 1 }) },
  db,
  clock: { now: () => Temporal.Instant.from(now) },
  random: createRandom(),
  log: createLog({ level: "error", pretty: true }),
  wake: createWakeHub().wake,
  secretBox: testSecretBox,
});
process.stdout.write("queueing\n");
for (;;) await sendMessages(deps);
