import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Config } from "../config.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { startEmbeddedServer } from "../db/embedded/start-embedded-server.ts";
import { assertSchema } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import type { Log } from "../deps.ts";

export interface OpenDatabase {
  readonly connection: pg.ClientConfig;
  /** How a refusal names it. */
  readonly place: string;
  /** Claims the data folder for this process alone; false: a service runs there. True for an external database. */
  claim(): Promise<boolean>;
  /** Stops the embedded server unless another process uses it; close every pool before. */
  close(): Promise<void>;
}

/**
 * `service` claims the data folder (a second service is refused), makes the store where there is none, and migrates. `command` refuses
 * where there is no store, and a schema that is not this code's. `migration` refuses where there is no store.
 */
export type Opener = "service" | "command" | "migration";

const POLL_MS = 500;
const CONNECT_MS = 5_000;

/**
 * The database of the settings (program.md 8): the external one of DATABASE_URL, else the embedded server of the data folder,
 * started or found running.
 * @throws NoStoreError, SchemaError and MigrationError, saying what to do
 */
export async function openDatabase(config: Config, log: Log, as: Opener): Promise<OpenDatabase> {
  const { databaseUrl, dataDir, postgresBin } = config;
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS };
    if (as === "service") await waitForDatabase(connection, log, config.databaseWaitMs);
    const database = {
      connection,
      place: "The database of DATABASE_URL",
      claim: async () => true,
      close: async () => {},
    };
    await prepare(database, config, log, as);
    return database;
  }
  const isService = as === "service";
  const server = await startEmbeddedServer({
    dataDir,
    postgresBin,
    log,
    outlivesProcess: !isService,
    archiveSeconds: config.backup.isLogArchived ? config.backup.logSeconds : undefined,
    mustExist: !isService,
  });
  const database = {
    connection: server.connection,
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

async function prepare(database: OpenDatabase, config: Config, log: Log, as: Opener): Promise<void> {
  if (as === "service") await migrate(database.connection, { log, lockTimeoutMs: config.migrationLockTimeoutMs });
  if (as === "command") await assertSchema(database.connection, database.place);
}

/** Waits for a database that does not answer yet, as where both were started together; whatever else it says ends the wait. */
async function waitForDatabase(connection: pg.ClientConfig, log: Log, waitMs: number): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client(connection);
    client.on("error", () => {}); // what is awaited is rejected too
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() + POLL_MS > giveUpAt) throw error;
      if (attempt === 1)
        log.warn({ error, waitSeconds: waitMs / 1_000 }, "the database is not responding yet: waiting for it");
      await delay(POLL_MS);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
