import type pg from "pg";
import type { CatalogTable } from "./catalog-queries.ts";
import { BackupError } from "./manifest.ts";

/** Tables of a store anywhere in the search_path, and all others in the schema where those of the store would be made; extensions may have some. */
const TAKEN = `select to_regclass(quote_ident(name))::text as name
from unnest($1::text[]) as t (name)
where to_regclass(quote_ident(name)) is not null
union all
select c.relname
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema()
  and c.relkind in ('r', 'p')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
limit 1`;

/**
 * Refuses a database, or the schema to which its search_path leads, that has a table.
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
