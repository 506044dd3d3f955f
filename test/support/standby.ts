import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { chooseLauncher } from "../../src/db/embedded/choose-launcher.ts";
import { launchServer } from "../../src/db/embedded/launch-server.ts";
import { DATABASE_NAME, ROLE_NAME, SERVER_PORT } from "../../src/db/embedded/server-settings.ts";
import { startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openPool } from "../../src/db/pool.ts";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";
import { SERVICE_ROLE } from "../../src/db/roles/service-grants.ts";
import { createLog } from "../../src/log.ts";
import type { TestDatabase } from "./database.ts";
import { copyNewStore } from "./new-store.ts";
import { scratchRoot } from "./scratch-root.ts";
import { waitUntil } from "./wait-until.ts";

const RECOVERY_CONFLICT = "40001";
const STANDBY_SETTINGS = "max_standby_streaming_delay = '100ms'\nwal_receiver_status_interval = '1s'\n";

/** A primary with a migrated database, and a streaming standby of it: two real servers in a separate folder. */
export interface ReplicatedDatabase {
  readonly primary: TestDatabase;
  /** The service's role. */
  readonly standby: pg.ClientConfig;
  /** Runs a statement on the standby, independently of the test. */
  onStandby(text: string): Promise<Record<string, unknown>[]>;
  startStandby(): Promise<void>;
  killStandby(): Promise<void>;
  /** Stops the standby's processes, so that it accepts connections but does not respond, until the returned function is called. */
  freezeStandby(): Promise<() => void>;
  /** Waits until the standby has everything that the primary has now. */
  catchUp(): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Starts a primary and its standby.
 */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(scratchRoot(), "pointkeeper-test-"));
  const { primaryDir, standbyDir } = await makeReplicatedFolders(folder);
  const server = await startEmbeddedServer({ dataDir: primaryDir });
  const primary = server.connection;
  await followPrimary(standbyDir, `host=${primary.host} port=${primary.port}`);
  const standby = plainServer(standbyDir);
  await standby.start();
  const db = openPool({ connection: server.serviceConnection });
  const owner = openPool({ connection: server.connection, connectionsMax: 2 });
  return {
    primary: { connection: server.serviceConnection, db, ownerConnection: primary, owner, drop: async () => {} },
    standby: { ...standby.connection, user: SERVICE_ROLE },
    onStandby: standby.run,
    startStandby: standby.start,
    killStandby: standby.kill,
    freezeStandby: standby.freeze,
    async catchUp() {
      const [row] = await db.query<{ lsn: string }>("select pg_current_wal_flush_lsn()::text as lsn");
      const passed = `select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as "isThere"`;
      await waitUntil(async () => (await standby.run(passed))[0]?.["isThere"] === true);
    },
    async drop() {
      await standby.stop();
      await db.close();
      await owner.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/**
 * Creates the files of a primary with a migrated database, and of its standby, as a copy of them: the embedded PostgreSQL has no pg_basebackup.
 * Neither runs, and the standby has no primary configured yet.
 */
export async function makeReplicatedFolders(folder: string): Promise<{ primaryDir: string; standbyDir: string }> {
  const [primaryDir, standbyDir] = [join(folder, "p"), join(folder, "s")];
  await copyNewStore(primaryDir);
  if (!existsSync(primaryDir)) {
    const first = await startEmbeddedServer({ dataDir: primaryDir });
    await migrate(first.connection, { serviceRole: EMBEDDED_ROLE });
    await first.stop();
  }
  await cp(join(primaryDir, "pg"), join(standbyDir, "pg"), { recursive: true });
  return { primaryDir, standbyDir };
}

/** Turns a server's files into those of a standby. Recovery waits 100 ms for a query of the standby and then cancels it. */
export async function followPrimary(standbyDir: string, where: string): Promise<void> {
  const follow = `primary_conninfo = '${where} user=${ROLE_NAME}'\n`;
  await writeFile(join(standbyDir, "pg", "postgresql.auto.conf"), `${follow}${STANDBY_SETTINGS}`);
  await writeFile(join(standbyDir, "pg", "standby.signal"), "");
}

/** A server that is not restarted when it ends. */
export interface PlainServer {
  readonly connection: pg.ClientConfig;
  /** Runs a statement on a separate connection. */
  run(text: string): Promise<Record<string, unknown>[]>;
  start(): Promise<void>;
  /** Stops its processes until the returned function is called. */
  freeze(): Promise<() => void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export function plainServer(home: string): PlainServer {
  const log = createLog({ level: "error", pretty: true });
  const connection: pg.ClientConfig = {
    host: home,
    port: SERVER_PORT,
    user: ROLE_NAME,
    database: DATABASE_NAME,
    ssl: false,
  };

  async function run(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== RECOVERY_CONFLICT) throw error;
      return run(text); // replay removed rows that the query was reading
    } finally {
      await client.end();
    }
  }

  const pidFile = join(home, "pg", "postmaster.pid");
  const readPid = async () => (await readFile(pidFile, "utf8").catch(() => "")).split("\n", 1)[0] ?? "";

  const answers = () =>
    run("select 1").then(
      () => true,
      () => false,
    );

  async function end(signal: "SIGKILL" | "SIGINT"): Promise<void> {
    const pid = await readPid();
    if (pid === "") return;
    process.kill(Number(pid), signal);
    await waitUntil(() => !isAlive(Number(pid)));
    await rm(pidFile, { force: true });
  }

  return {
    connection,
    run,
    async start() {
      const launcher = await chooseLauncher({
        dataDir: home,
        binaries: await findBinaries(),
        log,
        endsWithParent: true,
      });
      const options = { launcher, socketDir: home, pgDir: join(home, "pg"), logPath: join(home, "postgres.log") };
      const child = await launchServer(options);
      await waitUntil(async () => {
        const ended = child.ended();
        if (ended !== undefined) throw new Error(`the standby did not start (${ended}): ${await child.logTail()}`);
        return answers();
      });
    },
    async freeze() {
      const backends = await run("select pid from pg_stat_activity where backend_type = 'client backend'");
      const pids = [await readPid(), ...backends.map(({ pid }) => pid)].map(Number).filter(isAlive);
      for (const pid of pids) signal(pid, "SIGSTOP");
      return () => {
        for (const pid of pids) signal(pid, "SIGCONT");
      };
    },
    kill: () => end("SIGKILL"),
    /** SIGKILL would leave its shared memory behind. */
    stop: () => end("SIGINT"),
  };
}

/** Sends a signal to a process that may have ended. */
function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
