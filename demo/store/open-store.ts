import { readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { ensureStoreCredential } from "../../src/credentials/ensure-store-credential.ts";
import { openSecretBox } from "../../src/credentials/open-secret-box.ts";
import { openPool } from "../../src/db/pool.ts";
import type { Deps } from "../../src/deps.ts";
import { createWakeHub, type WakeHub } from "../../src/jobs/wake-hub.ts";
import { createLog } from "../../src/log.ts";
import { ensureProgram } from "../../src/program/ensure-program.ts";
import { createRandom } from "../../src/random.ts";
import type { SandboxClock } from "../../src/sandbox/open-sandbox-clock.ts";
import { openDatabase } from "../../src/start/open-database.ts";
import { CREDENTIAL } from "../start-service.ts";

export interface OpenStore {
  readonly deps: Deps;
  /** It stands still until it is set; only this process follows it. */
  readonly clock: SandboxClock;
  readonly wakes: WakeHub;
}

const CONNECTIONS = 10;

/** Opens the service's verbs on a data folder, with a clock that begins in the past. `onEnd` gets what has to be closed. */
export async function openStore(
  dataDir: string,
  startAt: Temporal.Instant,
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<OpenStore> {
  const config = readConfig({
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
  });
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(config, log, "service");
  onEnd(() => database.close());
  const db = openPool({ connection: database.connection, connectionsMax: CONNECTIONS });
  onEnd(() => db.close());
  const clock = createClock(startAt);
  const wakes = createWakeHub();
  const deps = createDeps({
    config,
    db,
    clock,
    random: createRandom(),
    log,
    wake: wakes.wake,
    secretBox: await openSecretBox(db, config),
  });
  await ensureProgram(deps);
  await ensureStoreCredential(deps); // webhooks are signed with its secret
  return { deps, clock, wakes };
}

function createClock(startAt: Temporal.Instant): SandboxClock {
  let now = startAt;
  return {
    now: () => now,
    refresh: async () => {},
    async set(to) {
      if (Temporal.Instant.compare(to, now) > 0) now = to;
    },
    begin: async () => false, // it was already set to `startAt`
  };
}
