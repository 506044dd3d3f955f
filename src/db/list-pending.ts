import pg from "pg";
import {
  MIGRATIONS_DIR,
  readApplied,
  readMigrations,
  SchemaError,
  selectExpanding,
  selectPending,
} from "./migration-files.ts";
import { NoStoreError } from "./no-store-error.ts";

/**
 * Returns the names of the migrations that a store's database lacks, in order, without changing anything. `place` names the database in the refusal; with
 * `mayBeEmpty` it lists all of them for a database that was never migrated.
 * @throws NoStoreError if no Pointkeeper ever migrated it
 * @throws SchemaError for a database of a newer Pointkeeper, or an applied file that was changed
 */
export async function listPending(
  connection: pg.ClientConfig,
  place: string,
  { mayBeEmpty = false } = {},
): Promise<string[]> {
  const files = await readMigrations(MIGRATIONS_DIR);
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the statement that runs is rejected too
  await client.connect();
  try {
    const applied = await readApplied(client);
    if (applied.length === 0 && !mayBeEmpty)
      throw new NoStoreError(`${place} holds no store: nothing was done. The first "pointkeeper start" creates one.`);
    if (selectExpanding(files, applied).length > 0) return [];
    return selectPending(files, applied).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Refuses a database whose schema is neither that of this code nor one that a newer version only expanded: a command does not migrate, and does not work on
 * another schema.
 * @throws NoStoreError or SchemaError, saying what to do
 */
export async function assertSchema(connection: pg.ClientConfig, place: string): Promise<void> {
  const pending = await listPending(connection, place);
  if (pending.length === 0) return;
  throw new SchemaError(
    `The database has the schema of an older Pointkeeper: it lacks ${pending.length} migrations, from ${pending[0]} on. ` +
      'Run the commands of that version, or "pointkeeper migrate" (or "start") to bring the database to this one.',
  );
}
