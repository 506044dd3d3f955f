import { readConfig } from "../../src/config.ts";
import { type Db, openPool } from "../../src/db/pool.ts";
import { createLog } from "../../src/log.ts";
import { type Opener, openDatabase } from "../../src/start/open-database.ts";

export interface DatabaseUse {
  /** As the owner of the tables, who may change anything; otherwise as the service's role. */
  readonly isOwner?: boolean;
  /** "migration" opens a database with another schema too. */
  readonly as?: Opener;
}

/** Opens the database of these settings like a command, beside whatever else uses it, for as long as `work` takes. */
export async function withDatabase<T>(
  env: Record<string, string>,
  work: (db: Db) => Promise<T>,
  { isOwner = false, as = "command" }: DatabaseUse = {},
): Promise<T> {
  const database = await openDatabase(readConfig(env), createLog({ level: "error", pretty: true }), as);
  const connection = (isOwner ? database.migrationConnection : undefined) ?? database.connection;
  const db = openPool({ connection, connectionsMax: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
    await database.close();
  }
}
