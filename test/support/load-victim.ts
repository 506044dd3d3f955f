import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isServerOf } from "../../src/db/embedded/is-server-of.ts";
import { parsePostmasterFile } from "../../src/db/embedded/postmaster-file.ts";
import type { Db } from "../../src/db/pool.ts";
import { freePort } from "./free-port.ts";
import { makeFolder, type ServiceProcess, spawnService } from "./service-process.ts";
import { waitUntil } from "./wait-until.ts";
import { withDatabase } from "./with-database.ts";

/** A service on a separate data folder that is killed and restarted, always at the same address. */
export interface Victim {
  readonly url: string;
  readonly env: Record<string, string>;
  readonly folder: string;
  service(): ServiceProcess;
  /** Sends SIGKILL to the service and waits for its end. */
  killService(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGKILL to the database's main process and waits until another one runs. */
  killDatabase(): Promise<void>;
  /** Opens the database beside the service, like a command. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Ends every process and removes the folder, in any state. */
  remove(): Promise<void>;
}

export const VICTIM_CREDENTIAL = { key: "pk_kill", secret: "secret-of-the-kill-0123456789abcdef0123456" };
const PAUSE_MAX_MS = 25;
const END_MS = 10_000;

export async function startVictim(): Promise<Victim> {
  const folder = await makeFolder(tmpdir()); // on a disk: this test is about data written through to it
  const dataDir = join(folder.path, "data");
  const port = await freePort();
  const env = {
    POINTKEEPER_DATA_DIR: dataDir,
    POINTKEEPER_API_KEY: VICTIM_CREDENTIAL.key,
    POINTKEEPER_API_SECRET: VICTIM_CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    LOG_LEVEL: "silent",
    PORT: String(port),
  };
  let starting: Promise<ServiceProcess> | undefined;
  let isOver = false;
  let service = await spawnService(env).catch(async (error: unknown) => {
    await folder.remove();
    throw error;
  });

  async function killService(): Promise<void> {
    await delay(Math.random() * PAUSE_MAX_MS);
    service.child.kill("SIGKILL");
    await service.ended;
  }

  async function start(): Promise<void> {
    if (isOver) throw new Error("the victim was removed");
    starting = spawnService(env);
    service = await starting;
  }

  async function remove(): Promise<void> {
    isOver = true; // a test that timed out still runs
    await starting?.catch(() => {});
    service.child.kill("SIGKILL");
    await service.ended;
    const endBy = performance.now() + END_MS;
    for (let pid = await databasePid(dataDir); pid !== undefined; pid = await databasePid(dataDir)) {
      if (performance.now() > endBy) process.kill(pid, "SIGKILL");
      await delay(PAUSE_MAX_MS);
    }
    await rm(folder.path, { recursive: true, force: true, maxRetries: 20 }); // a command may still be ending
  }

  return {
    url: service.url,
    env,
    folder: folder.path,
    service: () => service,
    killService,
    start,
    killDatabase: () => killDatabase(dataDir),
    withDatabase: (work) => withDatabase(env, work),
    remove,
  };
}

async function killDatabase(dataDir: string): Promise<void> {
  const pid = await databasePid(dataDir);
  if (pid === undefined) throw new Error("no database runs");
  await delay(Math.random() * PAUSE_MAX_MS);
  process.kill(pid, "SIGKILL");
  await waitUntil(async () => {
    const next = await databasePid(dataDir);
    return next !== undefined && next !== pid;
  });
}

/** The main process of the folder's database; undefined: none runs. */
async function databasePid(dataDir: string): Promise<number | undefined> {
  const location = (await readFile(join(dataDir, "pg.location"), "utf8").catch(() => dataDir)).trim();
  const pgDir = join(location, "pg");
  const text = await readFile(join(pgDir, "postmaster.pid"), "utf8").catch(() => "");
  const pid = parsePostmasterFile(text)?.pid;
  return pid !== undefined && (await isServerOf(pid, pgDir)) ? pid : undefined;
}
