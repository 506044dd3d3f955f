import type pg from "pg";
import type { Config } from "../config.ts";
import { startEmbeddedServer } from "../db/embedded/start-embedded-server.ts";
import { migrate } from "../db/migrate.ts";
import type { Log } from "../deps.ts";

export interface OpenDatabase {
  /** Migrated. */
  readonly connection: pg.ClientConfig;
  /** Stops the embedded server unless another process uses it; close every pool before. */
  close(): Promise<void>;
}

/**
 * The database of the settings (program.md 8): the external one of DATABASE_URL, else the embedded server of the data folder,
 * started or found running; brought to this code's version. `as` service claims the data folder: a second service is refused.
 */
export async function openDatabase(config: Config, log: Log, as: "service" | "command"): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl };
    await migrate(connection, { log });
    return { connection, close: async () => {} };
  }
  const server = await startEmbeddedServer({ dataDir, log, outlivesProcess: as === "command" });
  try {
    if (as === "service") await server.claimService();
    await migrate(server.connection, { log });
    return { connection: server.connection, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
