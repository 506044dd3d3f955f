import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { createDeps } from "../src/create-deps.ts";
import { createSecretBox } from "../src/credentials/secret-box.ts";
import { readSecretKeys } from "../src/credentials/secret-key-file.ts";
import type { Connection } from "../src/db/connection.ts";
import { type Db, openPool } from "../src/db/pool.ts";
import type { Clock, Deps } from "../src/deps.ts";
import { createWakeHub } from "../src/jobs/wake-hub.ts";
import { createLog } from "../src/log.ts";
import { ensureProgram } from "../src/program/ensure-program.ts";
import { createRandom } from "../src/random.ts";
import { type OpenDatabase, openDatabase } from "../src/start/open-database.ts";

/** The credential of the benches. */
export const CREDENTIAL = { key: "pk_bench", secret: "bench-secret-0123456789abcdef0123456789abcdef" };
export const AUTHORIZATION = `Basic ${Buffer.from(`${CREDENTIAL.key}:${CREDENTIAL.secret}`).toString("base64")}`;

/** The settings of a service on a data folder, with the benches' credential and any free port; `more` adds to them or overrides them. */
export function serviceEnv(dataDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    PORT: "0",
    LOG_LEVEL: "warn",
    ...more,
  };
}

/** Runs work on the embedded database of a data folder, with a clock of the bench: like the service, or like a command beside a running service. */
export async function withBenchDeps(
  dataDir: string,
  clock: Clock,
  work: (deps: Deps) => Promise<void>,
  as: "service" | "command" = "service",
): Promise<void> {
  const config = readConfig({
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_PG_BIN: process.env.POINTKEEPER_PG_BIN,
  });
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(config, log, as);
  const db = openPool({ connection: ownerOf(database), connectionsMax: 4 });
  try {
    const deps = createDeps({
      config,
      db,
      log,
      clock,
      random: createRandom(),
      wake: createWakeHub().wake,
      secretBox: createSecretBox((await readSecretKeys(config)) ?? "a key for the bench"),
    });
    await ensureProgram(deps);
    await work(deps);
  } finally {
    await db.close();
    await database.close();
  }
}

/** The database of a bench's settings: created as by a service, or beside a running one. */
export async function withBenchDatabase<T>(
  env: Record<string, string>,
  work: (db: Db) => Promise<T>,
  as: "service" | "command" = "command",
): Promise<T> {
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  const database = await openDatabase(readConfig(env), log, as);
  const db = openPool({ connection: ownerOf(database), connectionsMax: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
    await database.close();
  }
}

/** Connects as the owner, because a bench fills tables and measures them in ways that the service's role may not. */
export function ownerOf({ migrationConnection }: OpenDatabase): Connection {
  if (migrationConnection === undefined) throw new Error("a bench needs the owner of its database");
  return migrationConnection;
}

/** A data folder that is removed after the work. */
export async function withBenchFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "pointkeeper-bench-"));
  try {
    await work(join(folder, "data"));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
