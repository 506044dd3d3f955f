import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { applyInTransaction } from "../db/migrate.ts";
import { MIGRATIONS_DIR, readMigrations, selectPending } from "../db/migration-files.ts";
import { assertEmpty } from "./assert-empty.ts";
import { type CatalogTable, selectFilled, selectKeysAndIndexes, selectTables, setSequence } from "./catalog-queries.ts";
import { BackupError } from "./manifest.ts";
import { copyStatement, prepareSession, type RowSource } from "./row-source.ts";

/** What was loaded of a table. */
export interface LoadedTable {
  readonly name: string;
  readonly rows: number;
}

const INDEX_MEMORY = "set local maintenance_work_mem = '256MB'";

/**
 * Loads all rows of a source into an empty database: creates the schema of the source, then the rows, then the keys and indexes. All in one
 * transaction, so a load that fails or is killed leaves the database empty. `check` runs before the commit.
 * @throws BackupError for a database that is not empty or rows that do not fit, SchemaError for a source of a newer Pointkeeper
 */
export async function loadRows(
  client: pg.Client,
  source: RowSource,
  { place, check }: { readonly place: string; readonly check: (loaded: readonly LoadedTable[]) => Promise<void> },
): Promise<void> {
  const files = await readMigrations(MIGRATIONS_DIR);
  selectPending(files, source.migrations); // refuses a newer source
  const last = source.migrations.at(-1)?.number ?? 0;
  await prepareSession(client);
  await client.query("begin");
  try {
    await assertEmpty(client, source.tables, place);
    await applyInTransaction(
      client,
      files.filter(({ number }) => number <= last),
    );
    await check(await loadTables(client, source));
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {}); // the connection may be what failed
    throw error;
  }
}

async function loadTables(client: pg.Client, source: RowSource): Promise<LoadedTable[]> {
  await client.query("set constraints all immediate");
  await client.query(INDEX_MEMORY);
  const there = await selectTables(client);
  const names = there.map(({ name }) => client.escapeIdentifier(name));
  assertFits(source.tables, there);
  // Triggers are disabled, because the rows that they would write are part of the source.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  const objects = await selectKeysAndIndexes(client);
  for (const { drop } of objects) await client.query(drop);
  const filled = await selectFilled(client, there);
  if (filled.length > 0) await client.query(`truncate table ${filled.join(", ")}`);
  const loaded: LoadedTable[] = [];
  for (const table of source.tables) loaded.push({ name: table.name, rows: await copyRows(client, source, table) });
  for (const { create } of objects.toReversed()) await client.query(create);
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const sequence of source.sequences) await setSequence(client, sequence);
  return loaded;
}

/** Checks that source and database have exactly the same tables and columns; a table without source rows would get invented ones. */
function assertFits(tables: readonly CatalogTable[], there: readonly CatalogTable[]): void {
  const text = ({ name, columns }: CatalogTable) => `${name} (${columns.toSorted().join(", ")})`;
  const [here, given] = [new Set(there.map(text)), new Set(tables.map(text))];
  const other = [...given].find((table) => !here.has(table)) ?? [...here].find((table) => !given.has(table));
  if (other === undefined) return;
  throw new BackupError(
    `The rows do not fit the schema of their migrations: ${other}. The backup is damaged, or its schema was changed by hand.`,
  );
}

// Because the table was created or truncated in this transaction, its rows need no later freezing.
async function copyRows(client: pg.Client, source: RowSource, table: CatalogTable): Promise<number> {
  const into = client.query(copyFrom(copyStatement(client, table, "from stdin (freeze)")));
  try {
    await pipeline(Readable.from(source.rows(table).stream, { objectMode: false }), into);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`The rows of ${table.name} cannot be loaded: ${reason}.`, { cause: error });
  }
  return into.rowCount;
}
