import { userInfo } from "node:os";
import { runAs } from "../actor.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { createSecretBox, lockedSecretBox, type SecretBox } from "../credentials/secret-box.ts";
import { missingKeyText, readSecretKeys } from "../credentials/secret-key-file.ts";
import { openPool } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { createWakeHub } from "../jobs/wake-hub.ts";
import { createLog } from "../log.ts";
import { createRandom } from "../random.ts";
import { openSandboxClock } from "../sandbox/open-sandbox-clock.ts";
import type { OpenDatabase, Opener } from "../start/open-database.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const COMMAND_CONNECTIONS = 2;

/**
 * Runs a command on the configured store, with or without a running service: the embedded server is used if it runs, otherwise started and stopped
 * again. Creates no store, no key and no schema. `as`: a `migration` accepts a schema of another version, and a key that cannot be read.
 * @throws NoStoreError, SchemaError, InterruptedError
 */
export async function withDeps<T>(
  work: (deps: Deps, database: OpenDatabase) => Promise<T>,
  connectionsMax = COMMAND_CONNECTIONS,
  as: Extract<Opener, "command" | "migration"> = "command",
): Promise<T> {
  const config = readConfig();
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  return untilInterrupted({ config, log, as }, async (database) => {
    const db = openPool({
      connection: database.connection,
      ownerConnection: database.migrationConnection,
      connectionsMax,
    });
    try {
      const deps = createDeps({
        config,
        db,
        clock: config.sandbox ? await openSandboxClock(db) : systemClock,
        random: createRandom(),
        log,
        wake: createWakeHub().wake,
        secretBox: await openSecretBox(config, as),
      });
      return await asCommand(() => work(deps, database), deps.clock.now());
    } finally {
      await db.close();
    }
  });
}

async function openSecretBox(config: Config, as: Opener): Promise<SecretBox> {
  try {
    const keys = await readSecretKeys(config);
    return keys === null ? lockedSecretBox(missingKeyText(config.dataDir)) : createSecretBox(keys);
  } catch (error) {
    if (as !== "migration") throw error;
    return lockedSecretBox(error instanceof Error ? error.message : String(error)); // to look at the rest of the store all the same
  }
}

/** Runs work in the name of the person who runs the command, for the audit log. */
export function asCommand<T>(work: () => Promise<T>, now: Temporal.Instant): Promise<T> {
  return runAs({ kind: "command", id: null, name: userName(), address: null }, work, now);
}

/** Returns the name of the person who runs the command, for the audit log; a container's user may have none. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "pointkeeper";
  }
}
