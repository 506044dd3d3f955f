import { openPool } from "../../src/db/pool.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { runDeliveries } from "../../src/webhooks/delivery/run-deliveries.ts";
import { exportUrlOf, webhookDeps } from "./webhook-deps.ts";

/** A process that delivers what is due in the database in its first argument (connection settings as JSON), until it is killed. */
const db = openPool({ connection: JSON.parse(process.argv[2] ?? "{}") });
const deps = webhookDeps(db, { hub: createWakeHub() });
const exportUrl = (uid: string) => exportUrlOf(uid, deps.clock.now());
await runDeliveries(deps, { exportUrl, signal: new AbortController().signal });
