import { access, constants, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import type { Log } from "../../deps.ts";
import { NoStoreError } from "../no-store-error.ts";
import { isUniqueViolation, sqlState } from "../pool.ts";
import { SERVICE_ROLE } from "../roles/service-grants.ts";
import { binariesIn, findBinaries } from "./binaries.ts";
import { chooseLauncher } from "./choose-launcher.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { initDataFolder } from "./init-data-folder.ts";
import { LOCATION_FILE } from "./launcher.ts";
import { connectionTo, DATABASE_NAME, logSpoolOf } from "./server-settings.ts";
import { shareServer } from "./share-server.ts";

export interface EmbeddedServerOptions {
  /** Created if absent, for this user only; see `mustExist`. */
  readonly dataDir: string;
  /** The folder of `postgres` and `initdb`; absent: those that npm installed. */
  readonly postgresBin?: string | undefined;
  /** Refuses a folder without a database, and creates nothing in it. */
  readonly mustExist?: boolean;
  readonly log?: Log;
  /** Whether a server started here may continue when this process is killed. Commands set it; the service and tests do not. */
  readonly outlivesProcess?: boolean;
  /** Archives the log of a server that is started here into the spool, one segment at least every this many seconds; absent: no archiving. */
  readonly archiveSeconds?: number | undefined;
  /** The page cache of a server that is started here, in MB; absent: according to the memory of the machine or the container. */
  readonly pageCacheMb?: number | undefined;
}

/** The embedded PostgreSQL of a data folder, used by this process. */
export interface EmbeddedServer {
  /**
   * Its database `pointkeeper` as the owner of its tables, over a Unix socket that only this user can reach. It does not change when the
   * server is started again.
   */
  readonly connection: pg.ClientConfig;
  /** The same as the service's role, which a migration creates (`roles/grant-service-role.ts`). */
  readonly serviceConnection: pg.ClientConfig;
  /** The server's process; undefined while it is being started again. */
  pid(): number | undefined;
  /**
   * Makes this process the only service of the folder.
   * @throws EmbeddedServerError if another process already is
   */
  claimService(): Promise<void>;
  /** The same, but returns false if another process already is. */
  tryClaimService(): Promise<boolean>;
  /** Ends this process's use. Also stops the server and waits for it, unless another process uses it. */
  stop(): Promise<void>;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Starts PostgreSQL in the data folder, or finds the running one, and keeps it running until `stop` (program.md 8). Close every pool on `connection` before
 * `stop`.
 * @throws EmbeddedServerError with what was found and what to do; NoStoreError if the folder must have a database and has none
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const log = options.log ?? silent;
  const mustExist = options.mustExist === true;
  if (mustExist) await assertStore(options.dataDir);
  const dataDir = await openDataDir(options.dataDir);
  const binaries = options.postgresBin === undefined ? await findBinaries() : await binariesIn(options.postgresBin);
  const launcher = await chooseLauncher({ dataDir, binaries, log, endsWithParent: options.outlivesProcess !== true });
  const pgDir = await initDataFolder({ dataDir, launcher, log });
  const { archiveSeconds, pageCacheMb } = options;
  const spool = archiveSeconds === undefined ? undefined : { dir: logSpoolOf(launcher.home), seconds: archiveSeconds };
  const server = await shareServer({ launcher, pgDir, log, spool, pageCacheMb }, dataDir);
  try {
    await createDatabase(connectionTo(server.socketDir, "postgres"), mustExist ? options.dataDir : undefined);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const connection = connectionTo(server.socketDir, DATABASE_NAME);
  return {
    connection,
    // the role's own settings, which only a superuser may change, keep its errors out of the server's log
    serviceConnection: { ...connection, user: SERVICE_ROLE, options: "" },
    pid: server.pid,
    claimService: server.claimService,
    tryClaimService: server.tryClaimService,
    stop: server.stop,
  };
}

/** Checks that a folder has a database, without touching it. */
async function assertStore(dataDir: string): Promise<void> {
  const found = await Promise.all(
    ["pg", LOCATION_FILE].map((name) => stat(join(dataDir, name)).catch(() => undefined)),
  );
  if (found.every((entry) => entry === undefined)) throw noStore(dataDir);
}

function noStore(dataDir: string): NoStoreError {
  return new NoStoreError(
    `There is no store in the data folder ${dataDir}: nothing was done. Name the store's folder with POINTKEEPER_DATA_DIR; the first "pointkeeper start" creates one.`,
  );
}

async function openDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dirname(dataDir), { recursive: true });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedServerError(
      `The data folder ${dataDir} cannot be used: ${reason}. Name another with POINTKEEPER_DATA_DIR.`,
      { cause },
    );
  }
}

/** `existingIn` names the data folder of a store whose database must already exist. */
async function createDatabase(connection: pg.ClientConfig, existingIn: string | undefined): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE_NAME]);
    if (found.rows.length > 0) return;
    if (existingIn !== undefined) throw noStore(existingIn);
    await client.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    const isMadeByAnother = sqlState(error) === "42P04" || isUniqueViolation(error);
    if (!isMadeByAnother) throw error;
  } finally {
    await client.end();
  }
}
