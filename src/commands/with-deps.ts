import { userInfo } from "node:os";
import { runAs } from "../actor.ts";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { openPool } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { createWakeHub } from "../jobs/wake-hub.ts";
import { createLog } from "../log.ts";
import { createRandom } from "../random.ts";
import { openSandboxClock } from "../sandbox/open-sandbox-clock.ts";
import { ensureProgram } from "../shop/ensure-program.ts";
import { readSecretKey } from "../shop/read-secret-key.ts";
import { createSecretBox } from "../shop/secret-box.ts";
import { openDatabase } from "../start/open-database.ts";

const COMMAND_CONNECTIONS = 2;

/**
 * Runs a command on the database of the settings, beside a service that runs or without one: the embedded server is used where
 * it runs, else started and stopped again.
 */
export async function withDeps<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig();
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(config, log, "command");
  try {
    const db = openPool({ connection: database.connection, connectionsMax: COMMAND_CONNECTIONS });
    try {
      const deps = createDeps({
        config,
        db,
        clock: config.sandbox ? await openSandboxClock(db) : systemClock,
        random: createRandom(),
        log,
        wake: createWakeHub().wake,
        secretBox: createSecretBox(await readSecretKey(config)),
      });
      await ensureProgram(deps);
      const actor = { kind: "command", id: null, name: userName(), address: null } as const;
      return await runAs(actor, () => work(deps), deps.clock.now());
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
}

/** Who runs the command, for the audit log; a container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "pointkeeper";
  }
}
