import type pg from "pg";
import type { CatalogTable } from "./catalog-queries.ts";
import { BackupError } from "./manifest.ts";

const TAKEN = `select to_regclass(quote_ident(name))::text as name
from unnest($1::text[]) as t (name)
where to_regclass(quote_ident(name)) is not null
limit 1`;

/**
 * Refuses a database, or the schema to which its search_path leads, that has a table of a store.
 * @throws BackupError
 */
export async function assertEmpty(client: pg.Client, tables: readonly CatalogTable[], place: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TAKEN, [["migration", ...tables.map(({ name }) => name)]]);
  const [taken] = rows;
  if (taken === undefined) return;
  throw new BackupError(
    `${place} is not empty: it has the table ${taken.name}. Nothing was changed. Name an empty database, or an empty schema by its search_path.`,
  );
}
