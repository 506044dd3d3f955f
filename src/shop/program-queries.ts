import type { Queryable } from "../db/pool.ts";
import type { ProgramDocument } from "./program-schema.ts";

export interface ProgramVersionRow {
  version: number;
  uid: string;
  document: ProgramDocument;
  author: string;
  createdAt: Temporal.Instant;
  shortenedAt: Temporal.Instant | null;
}

/** A version as it is read on hot paths: `document` is null where its uid is the known one. */
export interface KnownProgramRow {
  version: number;
  uid: string;
  document: ProgramDocument | null;
  shortenedAt: Temporal.Instant | null;
}

const KNOWN_COLUMNS = `
select version,
       uid,
       case when uid = $1 then null else document end as document,
       shortened_at as "shortenedAt"
from program_version`;

const NEWEST = `${KNOWN_COLUMNS}
order by version desc
limit 1`;

const AT_VERSION = `${KNOWN_COLUMNS}
where version = $2`;

const AS_OF = `${KNOWN_COLUMNS}
where created_at <= $2
or version = 1
order by version desc
limit 1`;

const NEWEST_WHOLE = `
select version,
       uid,
       document,
       author,
       created_at as "createdAt",
       shortened_at as "shortenedAt"
from program_version
order by version desc
limit 1`;

const STARTED_AT = `
select created_at as "createdAt"
from program_version
where version = 1`;

const INSERT = `
insert into program_version (version, uid, document, author, created_at, shortened_at)
values ($1, $2, $3, $4, $5, $6)
on conflict (version) do nothing`;

export async function selectNewestProgram(
  queryable: Queryable,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(NEWEST, [knownUid]))[0];
}

export async function selectProgramAt(
  queryable: Queryable,
  version: number,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(AT_VERSION, [knownUid, version]))[0];
}

export async function selectProgramAsOf(
  queryable: Queryable,
  instant: Temporal.Instant,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(AS_OF, [knownUid, instant]))[0];
}

/** When the first version was made: the store began with this service. Null: there is none yet. */
export async function selectProgramStart(queryable: Queryable): Promise<Temporal.Instant | null> {
  return (await queryable.query<{ createdAt: Temporal.Instant }>(STARTED_AT))[0]?.createdAt ?? null;
}

/** The newest version with all that is kept of it. */
export async function selectProgramVersion(queryable: Queryable): Promise<ProgramVersionRow | undefined> {
  return (await queryable.query<ProgramVersionRow>(NEWEST_WHOLE))[0];
}

/** Keeps a version; answers 0 where its number is taken. */
export async function insertProgramVersion(queryable: Queryable, row: ProgramVersionRow): Promise<number> {
  const { version, uid, document, author, createdAt, shortenedAt } = row;
  return await queryable.execute(INSERT, [version, uid, JSON.stringify(document), author, createdAt, shortenedAt]);
}
