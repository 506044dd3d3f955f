import type { Queryable, Tx } from "../db/pool.ts";
import type { Run } from "./run.ts";

const NEW_VERSIONS = `select version
from program_version
where version > $1
order by version
limit $2`;

/** The numbers of the program versions after a given one, oldest first. */
export async function selectNewVersions(queryable: Queryable, after: number, rows: number): Promise<number[]> {
  const found = await queryable.query<{ version: number }>(NEW_VERSIONS, [after, rows]);
  return found.map(({ version }) => version);
}

const KEEP = `insert into sale_run as r (run, kind, name, starts_at, ends_at, program_version)
select u.run, u.kind, u.name, u.starts_at, u.ends_at, $6::integer
from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) as u (run, kind, name, starts_at, ends_at)
on conflict (run) do update
set ends_at = excluded.ends_at,
  program_version = excluded.program_version`;

export async function writeRuns(tx: Tx, runs: readonly Run[], version: number): Promise<void> {
  await tx.execute(KEEP, [
    runs.map(({ key }) => key),
    runs.map(({ kind }) => kind),
    runs.map(({ name }) => name),
    runs.map(({ startsAt }) => startsAt),
    runs.map(({ endsAt }) => endsAt),
    version,
  ]);
}

const COLLECTIONS = `select distinct name
from sale_run
where kind = 'bonus'
order by name`;

/** The collections that ever had a bonus. */
export async function selectBonusCollections(queryable: Queryable): Promise<Set<string>> {
  const rows = await queryable.query<{ name: string }>(COLLECTIONS);
  return new Set(rows.map(({ name }) => name));
}
