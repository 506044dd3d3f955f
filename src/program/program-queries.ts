import type { Queryable } from "../db/pool.ts";
import { storedProgramDocument } from "./program-merge.ts";
import type { ProgramDocument } from "./program-schema.ts";

export interface ProgramVersionRow {
  version: number;
  uid: string;
  document: ProgramDocument;
  author: string;
  createdAt: Temporal.Instant;
  /** Its start for orders, never after `createdAt`; null: all time. */
  validFrom: Temporal.Instant | null;
  shortenedAt: Temporal.Instant | null;
}

/** The start of a version for orders. */
export interface VersionStart {
  readonly version: number;
  readonly validFrom: Temporal.Instant | null;
}

/** A version as it is read on hot paths: `document` is null if its uid is the known one. */
export interface KnownProgramRow {
  version: number;
  uid: string;
  document: ProgramDocument | null;
  shortenedAt: Temporal.Instant | null;
}

/** Held by an order that takes its rules until it is written: meanwhile no version is created that the order would not know. */
export const LOCK_PROGRAM_SHARED = "select lock_program_versions(false)";

const KNOWN_COLUMNS = `
select version,
       uid,
       case when uid = $1 then null else document end as document,
       shortened_at as "shortenedAt"
from program_version`;

/** The newest version, with the known uid in `$1`: rows of `KnownProgramRow`. */
export const NEWEST_PROGRAM = `${KNOWN_COLUMNS}
order by version desc
limit 1`;

const AT_VERSION = `${KNOWN_COLUMNS}
where version = $2`;

const AT_VERSIONS = `
select version,
       uid,
       case when uid = any($1::uuid[]) then null else document end as document,
       shortened_at as "shortenedAt"
from program_version
where version = any($2::integer[])`;

const AS_OF = `${KNOWN_COLUMNS}
where created_at <= $2
or version = 1
order by version desc
limit 1`;

const VALID_AT = `${KNOWN_COLUMNS}
where valid_from <= $2
or valid_from is null
order by version desc
limit 1`;

const VERSIONS_VALID_AT = `
select p.version,
       p.uid
from unnest($1::timestamptz[]) with ordinality as w (at, n)
join program_version p on p.version = (
  select max(v.version)
  from program_version v
  where v.valid_from <= w.at
  or v.valid_from is null)
order by w.n`;

const STARTS = `
select version,
       valid_from as "validFrom"
from program_version
order by version`;

const NEWEST_WHOLE = `
select version,
       uid,
       document,
       author,
       created_at as "createdAt",
       valid_from as "validFrom",
       shortened_at as "shortenedAt"
from program_version
order by version desc
limit 1`;

// The first version is the oldest one, except in a sandbox whose clock was set to a time before its start.
const STARTED_AT = `
select min(created_at) as "createdAt"
from program_version
having count(*) > 0`;

const INSERT = `
insert into program_version (version, uid, document, author, created_at, valid_from, shortened_at)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (version) do nothing`;

export async function selectNewestProgram(
  queryable: Queryable,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(NEWEST_PROGRAM, [knownUid]))[0];
}

export async function selectProgramAt(
  queryable: Queryable,
  version: number,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(AT_VERSION, [knownUid, version]))[0];
}

/** Returns the versions that exist, without the documents of those whose uids are known. */
export function selectProgramsAt(
  queryable: Queryable,
  versions: readonly number[],
  knownUids: readonly string[],
): Promise<KnownProgramRow[]> {
  return queryable.query<KnownProgramRow>(AT_VERSIONS, [knownUids, versions]);
}

export async function selectProgramAsOf(
  queryable: Queryable,
  instant: Temporal.Instant,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(AS_OF, [knownUid, instant]))[0];
}

/** Returns the version that applies to orders processed at an instant: the one made last among those that have started. */
export async function selectProgramValidAt(
  queryable: Queryable,
  instant: Temporal.Instant,
  knownUid: string | null,
): Promise<KnownProgramRow | undefined> {
  return (await queryable.query<KnownProgramRow>(VALID_AT, [knownUid, instant]))[0];
}

/** Returns the versions that apply to orders processed at instants, in their order: the ones made last among those that have started. */
export function selectVersionsValidAt(
  queryable: Queryable,
  instants: readonly Temporal.Instant[],
): Promise<Pick<KnownProgramRow, "version" | "uid">[]> {
  return queryable.query<Pick<KnownProgramRow, "version" | "uid">>(VERSIONS_VALID_AT, [instants]);
}

/** Returns the start of each version for orders, in the order in which the versions were made. */
export function selectVersionStarts(queryable: Queryable): Promise<VersionStart[]> {
  return queryable.query<VersionStart>(STARTS);
}

/** Returns when the first version was made: when the store began with this service. null: there is none yet. */
export async function selectProgramStart(queryable: Queryable): Promise<Temporal.Instant | null> {
  return (await queryable.query<{ createdAt: Temporal.Instant }>(STARTED_AT))[0]?.createdAt ?? null;
}

/** Returns the newest version with all its stored data. */
export async function selectProgramVersion(queryable: Queryable): Promise<ProgramVersionRow | undefined> {
  return (await queryable.query<ProgramVersionRow>(NEWEST_WHOLE))[0];
}

/** Inserts a version; returns 0 if its number is taken. */
export async function insertProgramVersion(queryable: Queryable, row: ProgramVersionRow): Promise<number> {
  const { version, uid, document, author, createdAt, validFrom, shortenedAt } = row;
  const times = [createdAt, validFrom, shortenedAt];
  return await queryable.execute(INSERT, [
    version,
    uid,
    JSON.stringify(storedProgramDocument(document)),
    author,
    ...times,
  ]);
}
