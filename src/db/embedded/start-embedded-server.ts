import { access, constants, mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import pg from "pg";
import type { Log } from "../../deps.ts";
import { isUniqueViolation, sqlState } from "../pool.ts";
import { chooseLauncher } from "./choose-launcher.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { findBinaries } from "./find-binaries.ts";
import { initDataFolder } from "./init-data-folder.ts";
import { keepServer } from "./keep-server.ts";
import { connectionTo, DATABASE_NAME } from "./server-settings.ts";

export interface EmbeddedServerOptions {
  /** Made when absent, for this user only. */
  readonly dataDir: string;
  readonly log?: Log;
  /** Whether a server started here may live on when this process is killed. Commands say true; the service and tests leave it false. */
  readonly outlivesProcess?: boolean;
}

/** The embedded PostgreSQL of a data folder, used by this process. */
export interface EmbeddedServer {
  /** Its database `pointkeeper`, over a Unix socket that only this user reaches. Stays the same when the server is started again. */
  readonly connection: pg.ClientConfig;
  /** The server's process; undefined while it is being started again. */
  pid(): number | undefined;
  /**
   * Makes this process the folder's one service.
   * @throws EmbeddedServerError when another process is
   */
  claimService(): Promise<void>;
  /** Ends this process's use. The server is stopped too, and waited for, unless another process uses it. */
  stop(): Promise<void>;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Starts PostgreSQL in the data folder, or finds the one that runs there, and keeps it running until `stop` (program.md 8). Close every
 * pool on `connection` before `stop`.
 * @throws EmbeddedServerError saying what was found and what to do
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const log = options.log ?? silent;
  const dataDir = await openDataDir(options.dataDir);
  const binaries = await findBinaries();
  const launcher = await chooseLauncher({ dataDir, binaries, log, endsWithParent: options.outlivesProcess !== true });
  const pgDir = await initDataFolder({ dataDir, launcher, log });
  const keeper = await keepServer({ launcher, pgDir, log }, dataDir);
  try {
    await createDatabase(connectionTo(keeper.socketDir, "postgres"));
  } catch (error) {
    await keeper.stop();
    throw error;
  }
  return {
    connection: connectionTo(keeper.socketDir, DATABASE_NAME),
    pid: keeper.pid,
    claimService: keeper.claimService,
    stop: keeper.stop,
  };
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

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE_NAME]);
    if (found.rows.length === 0) await client.query(`create database ${DATABASE_NAME}`);
  } catch (error) {
    const isMadeByAnother = sqlState(error) === "42P04" || isUniqueViolation(error);
    if (!isMadeByAnother) throw error;
  } finally {
    await client.end();
  }
}
