import type pg from "pg";
import type { StoredSequence } from "./manifest.ts";

/** A table of the store and the columns that are copied: no generated columns, and no transaction ids, which are valid only in this cluster. */
export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A constraint or index, with the SQL that drops it and creates it again. */
export interface CatalogObject {
  readonly drop: string;
  readonly create: string;
}

/** The schema that holds the store's tables. */
const STORE_SCHEMA = `(
    select relnamespace
    from pg_class
    where oid = to_regclass('migration'))`;

const TABLES = `select c.relname as name,
  array(
    select a.attname::text
    from pg_attribute a
    where a.attrelid = c.oid
      and a.attnum > 0
      and not a.attisdropped
      and a.attgenerated = ''
      and a.atttypid not in ('xid'::regtype, 'xid8'::regtype)
    order by a.attnum) as columns
from pg_class c
where c.relnamespace = ${STORE_SCHEMA}
  and c.relkind = 'r'
order by c.relname`;

/** Returns the tables in the schema of `migration`, which must exist, by name. */
export async function selectTables(client: pg.Client): Promise<CatalogTable[]> {
  return (await client.query<CatalogTable>(TABLES)).rows;
}

/**
 * Returns those of the tables that have rows, as names for a statement. Only they are worth a `truncate`: of a table that this transaction created,
 * it searches the whole of shared_buffers for each file of the table.
 */
export async function selectFilled(client: pg.Client, tables: readonly CatalogTable[]): Promise<string[]> {
  const names = tables.map(({ name }) => client.escapeIdentifier(name));
  const probes = names.map((name) => `select ${client.escapeLiteral(name)} as name where exists (select from ${name})`);
  const { rows } = await client.query<{ name: string }>(probes.join(" union all "));
  return rows.map(({ name }) => name);
}

/** The columns of each table as `selectTables` lists them, with their types: rows of {table, name, type, isRequired}. */
export const TYPED_COLUMNS = `select c.relname as "table",
  a.attname as name,
  format_type(a.atttypid, a.atttypmod) as type,
  a.attnotnull as "isRequired"
from pg_class c
join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = ${STORE_SCHEMA}
  and c.relkind = 'r'
  and a.attnum > 0
  and not a.attisdropped
  and a.attgenerated = ''
  and a.atttypid not in ('xid'::regtype, 'xid8'::regtype)
order by c.relname, a.attnum`;

const SEQUENCES = `select c.relname as name
from pg_class c
where c.relnamespace = ${STORE_SCHEMA}
  and c.relkind = 'S'
order by c.relname`;

/** Returns the sequences by name, with values at least as high as any row that the transaction sees. */
export async function selectSequences(client: pg.Client): Promise<StoredSequence[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: StoredSequence[] = [];
  for (const { name } of rows) {
    const state = await client.query<Omit<StoredSequence, "name">>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${client.escapeIdentifier(name)}`,
    );
    for (const row of state.rows) sequences.push({ name, ...row });
  }
  return sequences;
}

export const SETVAL = "select setval(to_regclass(quote_ident($1)), $2::bigint, $3)";

/** Sets the value of an existing sequence. */
export async function setSequence(client: pg.Client, { name, lastValue, isCalled }: StoredSequence): Promise<void> {
  await client.query(SETVAL, [name, lastValue, isCalled]);
}

/** The keys of all tables. Foreign keys are dropped first and created last, because they need the keys that they refer to. */
export const CONSTRAINTS = `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop,
  format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as create
from pg_constraint k
where k.connamespace = ${STORE_SCHEMA}
  and k.contype in ('p', 'u', 'x', 'f')
order by k.contype <> 'f', k.conrelid::regclass::text, k.conname`;

/** The indexes that belong to no key. */
export const INDEXES = `select format('drop index %s', i.indexrelid::regclass) as drop,
  pg_get_indexdef(i.indexrelid) as create
from pg_index i
join pg_class c on c.oid = i.indrelid
where c.relnamespace = ${STORE_SCHEMA}
  and c.relkind = 'r'
  and not exists (
    select
    from pg_constraint k
    where k.conindid = i.indexrelid
      and k.contype in ('p', 'u', 'x'))
order by i.indexrelid::regclass::text`;

/** Returns the keys and indexes, which load faster when they are created at the end. They are in the order of dropping; create them in reverse. */
export async function selectKeysAndIndexes(client: pg.Client): Promise<CatalogObject[]> {
  const constraints = await client.query<CatalogObject>(CONSTRAINTS);
  const indexes = await client.query<CatalogObject>(INDEXES);
  return [...indexes.rows, ...constraints.rows];
}

const SEALED_COLUMNS = `select a.attrelid::regclass::text as "table",
  a.attname as "column"
from pg_attribute a
join pg_class c on c.oid = a.attrelid
where c.relnamespace = ${STORE_SCHEMA}
  and c.relkind = 'r'
  and a.attname like '%sealed'
  and a.atttypid = 'bytea'::regtype
  and not a.attisdropped
order by 1, 2`;

/** Returns one encrypted text of each column that the secret key encrypts. */
export async function selectSealedSamples(client: pg.Client): Promise<Buffer[]> {
  const columns = await client.query<{ table: string; column: string }>(SEALED_COLUMNS);
  const samples: Buffer[] = [];
  for (const { table, column } of columns.rows) {
    const name = client.escapeIdentifier(column);
    const found = await client.query<{ sealed: Buffer }>(
      `select ${name} as sealed from ${table} where ${name} is not null limit 1`,
    );
    samples.push(...found.rows.map(({ sealed }) => sealed));
  }
  return samples;
}

// 60 bits of each row's digest: the sum does not depend on the order of the rows or on the version of PostgreSQL.
const digestOf = (columns: string) => `sum(('x' || left(md5(row(${columns})::text), 15))::bit(60)::bigint)`;

/** The number of a table's rows, and a digest of all of them that does not depend on their order. */
export interface TableDigest {
  readonly name: string;
  readonly rows: string;
  readonly digest: string;
}

/** Reads all rows of the tables and returns their digests. */
export async function selectDigests(client: pg.Client, tables: readonly CatalogTable[]): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const { name, columns } of tables) {
    const list = columns.map((column) => client.escapeIdentifier(column)).join(", ");
    const { rows } = await client.query<Omit<TableDigest, "name">>(
      `select count(*)::text as rows, coalesce(${digestOf(list)}, 0)::text as digest from ${client.escapeIdentifier(name)}`,
    );
    for (const row of rows) digests.push({ name, ...row });
  }
  return digests;
}
