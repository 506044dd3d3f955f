import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Config } from "../config.ts";
import { type Connection, externalConnection } from "../db/connection.ts";
import { isDatabaseAway, isLoginRefused } from "../db/database-away.ts";
import { startEmbeddedServer } from "../db/embedded/start-embedded-server.ts";
import { assertSchema, listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import { EMBEDDED_ROLE, type ServiceRole } from "../db/roles/grant-service-role.ts";
import type { Log } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { assertDurable } from "./assert-durable.ts";
import { checkSession, warnOfPowers } from "./check-session.ts";

export interface OpenDatabase {
  /** The service's role: for everything except migrations. */
  readonly connection: Connection;
  /** The owner of the tables; undefined: this process cannot migrate. */
  readonly migrationConnection: pg.ClientConfig | undefined;
  /** The role that gets the privileges of the service; undefined: the owner is also the service's role. */
  readonly serviceRole: ServiceRole | undefined;
  /** What error messages call the database. */
  readonly place: string;
  /** Claims the data folder for this process; false: a service runs there. Always true for an external database. */
  claim(): Promise<boolean>;
  /** Stops the embedded server unless another process uses it. Close every pool first. */
  close(): Promise<void>;
}

/**
 * `service` claims the data folder (a second service is refused), creates the store if there is none, and migrates. `command` refuses a missing store
 * and a schema of another version. `migration` refuses a missing store.
 */
export type Opener = "service" | "command" | "migration";

const POLL_MS = 500;
const CONNECT_MS = 5_000;
/** A start that waits for its database logs it once in so many attempts. */
const SAY_TRIES = 20;

/**
 * Opens the configured database (program.md 8): the external one of DATABASE_URL, or else the embedded server of the data folder, which is started if
 * it does not run.
 * @throws NoStoreError, SchemaError, MigrationError and ConfigError, each saying what to do
 */
export async function openDatabase(config: Config, log: Log, as: Opener): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, postgresBin, pageCacheMb } = config;
  if (databaseUrl !== undefined) return openExternal({ ...config, databaseUrl }, log, as);
  const isService = as === "service";
  const server = await startEmbeddedServer({
    dataDir,
    postgresBin,
    pageCacheMb,
    log,
    outlivesProcess: !isService,
    archiveSeconds: config.backup.isLogArchived ? config.backup.logSeconds : undefined,
    mustExist: !isService,
  });
  const database = {
    connection: {
      ...server.serviceConnection,
      ...limitsOf(config, as),
      fallback_application_name: applicationName(config, as),
    },
    migrationConnection: server.connection,
    serviceRole: EMBEDDED_ROLE,
    place: `The database of the data folder ${dataDir}`,
    claim: () => server.tryClaimService(),
    close: () => server.stop(),
  };
  try {
    if (isService) await server.claimService();
    await prepare(database, config, log, as);
    return database;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openExternal(config: Config & { databaseUrl: string }, log: Log, as: Opener): Promise<OpenDatabase> {
  const { databaseUrl, migrationUrl, pooler, preparedStatements } = config;
  const plain = { connectionTimeoutMillis: CONNECT_MS, fallback_application_name: applicationName(config, as) };
  const of = { ...plain, ...limitsOf(config, as), pooler, preparedStatements };
  const connection = externalConnection(databaseUrl, "DATABASE_URL", of);
  const owner =
    migrationUrl === undefined ? undefined : externalConnection(migrationUrl, "DATABASE_MIGRATION_URL", plain);
  const role = await waitForDatabase(connection, log, as === "service" ? config.databaseWaitMs : 0);
  if (as === "service") await assertDurable(connection, config); // before the schema is made or changed
  const database = {
    connection,
    // a migration holds a session lock, which a pooler in transaction mode does not keep
    migrationConnection: owner ?? (pooler === "transaction" ? undefined : connection),
    serviceRole: owner === undefined ? undefined : { name: role, isOurs: false },
    place: "The database of DATABASE_URL",
    claim: async () => true,
    close: async () => {},
  };
  await prepare(database, config, log, as);
  if (as === "service") await warnOfPowers(connection, log);
  return database;
}

async function prepare(database: OpenDatabase, config: Config, log: Log, as: Opener): Promise<void> {
  const { connection, migrationConnection, serviceRole, place } = database;
  if (as === "service" && migrationConnection !== undefined)
    await migrate(migrationConnection, { log, lockTimeoutMs: config.migrationLockTimeoutMs, serviceRole });
  else if (as === "service") await assertMigrated(connection, place);
  else if (as !== "migration") await assertSchema(migrationConnection ?? connection, place);
}

/** Behind a pooler in transaction mode, a start without a connection for migrations. */
async function assertMigrated(connection: Connection, place: string): Promise<void> {
  const pending = await listPending(connection, place, { mayBeEmpty: true });
  if (pending.length === 0) return;
  throw new ConfigError(
    `${place} lacks ${pending.length} migrations, from ${pending[0]} on, which cannot be applied through a pooler in transaction mode: set ` +
      "DATABASE_MIGRATION_URL to the database itself, here or for one pointkeeper migrate.",
  );
}

/** Commands have no time limit. */
function limitsOf({ statementTimeoutMs }: Config, as: Opener): Pick<Connection, "statementTimeoutMs"> {
  return as === "service" ? { statementTimeoutMs } : {};
}

/** The name of a process's connections in pg_stat_activity, unless the URL sets one. */
function applicationName({ role }: Config, as: Opener): string {
  return as === "service" ? `pointkeeper ${role}` : `pointkeeper ${as}`;
}

/**
 * Waits for a database that does not answer yet, for example because it was started at the same time. Any other error ends the wait. Returns the role
 * of the connection.
 */
async function waitForDatabase(connection: Connection, log: Log, waitMs: number): Promise<string> {
  const giveUpAt = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const role = await checkSession(connection);
      if (attempt > 1) log.info({ tries: attempt }, "the database responds");
      return role;
    } catch (error) {
      if (!isDatabaseAway(error) || isLoginRefused(error) || performance.now() + POLL_MS > giveUpAt) throw error;
      if (attempt % SAY_TRIES === 1)
        log.warn(
          { error, tries: attempt, waitSeconds: waitMs / 1_000 },
          "the database is not responding yet: waiting for it",
        );
      await delay(POLL_MS);
    }
  }
}
