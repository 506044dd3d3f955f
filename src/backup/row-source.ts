import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { MIGRATIONS_DIR, type Migration, readApplied, readMigrations } from "../db/migration-files.ts";
import { type CatalogTable, selectSequences, selectTables } from "./catalog-queries.ts";
import { BackupError, type StoredMigration, type StoredSequence } from "./manifest.ts";

/** All rows of a store in one snapshot. */
export interface RowSource {
  readonly migrations: readonly StoredMigration[];
  readonly tables: readonly CatalogTable[];
  readonly sequences: readonly StoredSequence[];
  /** Reads one table; only one at a time. */
  rows(table: CatalogTable): TableRows;
}

/** The rows of a table in the text format of COPY. */
export interface TableRows {
  readonly stream: AsyncIterable<Buffer>;
  /** The number of rows, once the stream has been read to its end. */
  count(): Promise<number>;
}

/** Session settings that make the text of values independent of the server's own settings, without a time limit. */
const SESSION: Readonly<Record<string, string>> = {
  client_encoding: "UTF8",
  timezone: "UTC",
  datestyle: "ISO, YMD",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  lock_timeout: "30s",
  synchronous_commit: "on",
};

const SET = `select set_config(name, setting, false)
from unnest($1::text[], $2::text[]) as t (name, setting)`;

/** Prepares a connection for reading or writing rows as text. */
export async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(SET, [Object.keys(SESSION), Object.values(SESSION)]);
  await client.query(`select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`);
}

/** The statement that copies rows of a table: `to stdout` or `from stdin`. */
export function copyStatement(client: pg.Client, { name, columns }: CatalogTable, direction: string): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
  return `copy ${client.escapeIdentifier(name)} (${list}) ${direction}`;
}

/**
 * Opens the rows of a store in the transaction of a connection, which must be a snapshot (repeatable read). `skipped` is called with each
 * table in the same schema that is not the store's.
 * @throws BackupError for distributed tables (no snapshot covers all nodes), and for a schema newer than this code
 */
export async function openRowSource(client: pg.Client, skipped: (name: string) => void): Promise<RowSource> {
  const citus = await client.query<{ isDistributed: boolean }>(
    "select exists (select from pg_class where relname = 'pg_dist_partition' and relnamespace = 'pg_catalog'::regnamespace) as \"isDistributed\"",
  );
  if (citus.rows[0]?.isDistributed === true) {
    const shards = await client.query("select from pg_dist_partition limit 1");
    if (shards.rowCount !== 0) {
      throw new BackupError(
        "The tables are distributed over a Citus, where no snapshot holds for all nodes: back it up with the tools of Citus (docs/backup.md).",
      );
    }
  }
  const migrations = await readApplied(client);
  const files = await readMigrations(MIGRATIONS_DIR);
  const later = migrations.find(({ number }) => !files.some((file) => file.number === number));
  if (later !== undefined) {
    throw new BackupError(
      `The database was migrated by a newer Pointkeeper (${later.name}), whose tables this one does not have: make the backup with that version.`,
    );
  }
  const known = namesIn(files);
  const all = await selectTables(client);
  const tables = all.filter(({ name }) => known.has(name));
  for (const { name } of all) if (!known.has(name)) skipped(name);
  const sequences = (await selectSequences(client)).filter(
    ({ name }) => known.has(name) || tables.some((table) => name.startsWith(`${table.name}_`)),
  );
  return {
    migrations,
    tables,
    sequences,
    rows(table) {
      const stream = client.query(copyTo(copyStatement(client, table, "to stdout")));
      // A lost connection fails the stream before anything reads it. A later reader gets this error; after an interruption there is none.
      stream.on("error", (error) => void stream.destroy(error));
      const count = async () => {
        await client.query("select"); // the count comes behind the last row, and this answer behind it
        return stream.rowCount;
      };
      return { stream, count };
    },
  };
}

/** All words of the migrations: a table whose name does not occur in them is not one of the store's. */
function namesIn(files: readonly Migration[]): ReadonlySet<string> {
  return new Set(["migration", ...files.flatMap(({ sql }) => sql.match(/\w+/g) ?? [])]);
}
