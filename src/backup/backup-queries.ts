import { isLeaseOver } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** Seconds; no job has a longer lease. */
const LEASE_MAX_S = 3_600;

/** The number of newest runs that are kept, beside the newest complete ones. */
const RUNS_KEPT = 200;

/** Not of a clock that was ahead and has been corrected since: such a run would be the newest until then. */
const NOT_AHEAD = "started_at <= clock_timestamp() + interval '1 hour'";

/** A backup run; times are by the machine's clock. */
export interface BackupRun {
  readonly cause: "schedule" | "command";
  readonly kind: "logical" | "physical";
  readonly place: string;
  readonly startedAt: Temporal.Instant;
  /** Null: it is running, or its process died. */
  readonly endedAt: Temporal.Instant | null;
  /** Null: it completed, or has not ended. */
  readonly error: string | null;
  readonly byteCount: bigint | null;
}

const INSERT = `insert into backup_run (uid, cause, kind, place, started_at)
values ($1, $2, $3, $4, clock_timestamp())`;

// The newest complete run stays, however many failed since then. Those of a clock that was ahead count as the oldest: they would push out each new one.
const PRUNE = `delete from backup_run
where uid in (
    select uid
    from backup_run
    order by ${NOT_AHEAD} desc, started_at desc
    offset ${RUNS_KEPT})
  and uid not in (
    select distinct on (cause, kind) uid
    from backup_run
    where ended_at is not null
      and error is null
      and ${NOT_AHEAD}
    order by cause, kind, started_at desc)`;

export async function insertBackupRun(
  queryable: Queryable,
  { uid, cause, kind, place }: Pick<BackupRun, "cause" | "kind" | "place"> & { readonly uid: string },
): Promise<void> {
  await queryable.execute(INSERT, [uid, cause, kind, place]);
  await queryable.execute(PRUNE);
}

const END = `update backup_run
set ended_at = clock_timestamp(),
  error = $2,
  row_count = $3,
  byte_count = $4,
  is_encrypted = $5
where uid = $1`;

export interface BackupRunEnd {
  readonly uid: string;
  readonly error: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly isEncrypted: boolean;
}

export async function endBackupRun(queryable: Queryable, end: BackupRunEnd): Promise<void> {
  await queryable.execute(END, [end.uid, end.error, end.rows, end.bytes, end.isEncrypted]);
}

/** Returns where the store's scheduled backups were or are written, also those that did not end. */
export async function selectScheduledPlaces(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query<{ place: string }>("select place from backup_run where cause = 'schedule'");
  return rows.map(({ place }) => place);
}

/** The state of the backups, by the machine's clock, and by the store's where jobs are planned by it. */
export interface BackupFacts {
  readonly lastDoneAt: Temporal.Instant | null;
  readonly lastDoneAgeSeconds: bigint | null;
  readonly lastDoneBytes: bigint | null;
  readonly lastDoneSeconds: bigint | null;
  /** The error of the newest scheduled run that ended, if it failed. */
  readonly lastError: string | null;
  /** Seconds since the newest complete scheduled backup began; null where there is none. */
  readonly scheduledAgeSeconds: bigint | null;
  /** Seconds since the next scheduled backup was due at a worker, negative before it is; null: no worker has a schedule. */
  readonly plannedAgoSeconds: bigint | null;
  /** Whether the server archives its log. */
  readonly isArchiving: boolean;
  /** Seconds since the store was first migrated. */
  readonly storeAgeSeconds: bigint | null;
}

const FACTS = `select d.ended_at as "lastDoneAt",
  extract(epoch from clock_timestamp() - d.ended_at)::bigint as "lastDoneAgeSeconds",
  d.byte_count as "lastDoneBytes",
  extract(epoch from d.ended_at - d.started_at)::bigint as "lastDoneSeconds",
  (select error
    from backup_run
    where cause = 'schedule'
      and ended_at is not null
      and ${NOT_AHEAD}
    order by started_at desc
    limit 1) as "lastError",
  (select extract(epoch from clock_timestamp() - max(started_at))::bigint
    from backup_run
    where cause = 'schedule'
      and ended_at is not null
      and error is null
      and ${NOT_AHEAD}) as "scheduledAgeSeconds",
  (select extract(epoch from $1::timestamptz - next_at)::bigint from job_plan where name = 'back up') as "plannedAgoSeconds",
  (select extract(epoch from clock_timestamp() - min(applied_at))::bigint from migration) as "storeAgeSeconds",
  current_setting('archive_mode') <> 'off' as "isArchiving"
from (select) one
left join lateral (
  select *
  from backup_run
  where ended_at is not null
    and error is null
    and ${NOT_AHEAD}
  order by started_at desc
  limit 1) d on true`;

/** `now` is the store's time. */
export async function selectBackupFacts(queryable: Queryable, now: Temporal.Instant): Promise<BackupFacts> {
  const [facts] = await queryable.query<BackupFacts>(FACTS, [now]);
  if (facts === undefined) throw new Error("a select from one row answers one");
  return facts;
}

// While the job runs, with pruning at its end, or from the death of its process until the next run, a draft or the oldest backup takes up room.
const SCHEDULED = `select exists (
    select
    from job j
    where name = 'back up'
      and not coalesce(${isLeaseOver("j", LEASE_MAX_S)}, true))
  or coalesce((
    select ended_at is null
      and started_at > clock_timestamp() - interval '1 day'
    from backup_run
    where cause = 'schedule'
      and ${NOT_AHEAD}
    order by started_at desc
    limit 1), false) as "isUnderWay",
  (select byte_count
    from backup_run
    where cause = 'schedule'
      and ended_at is not null
      and error is null
      and ${NOT_AHEAD}
    order by started_at desc
    limit 1) as "lastBytes"`;

/** Whether a scheduled backup is being made, and the size of the newest complete one; null: there is none. */
export async function selectScheduledBackup(
  queryable: Queryable,
): Promise<{ readonly isUnderWay: boolean; readonly lastBytes: bigint | null }> {
  const [row] = await queryable.query<{ isUnderWay: boolean; lastBytes: bigint | null }>(SCHEDULED);
  return row ?? { isUnderWay: false, lastBytes: null };
}

const IS_KEPT = `select exists (
  select
  from backup_run
  where cause = 'schedule'
    and kind = $1
    and starts_with(place, $2)
    and error is null
    and ${NOT_AHEAD}
    and ended_at > clock_timestamp() - $3 * interval '1 millisecond') as "isKept"`;

/** Whether a scheduled backup of this kind was completed below this folder within so many milliseconds. */
export async function selectIsBackupKept(
  queryable: Queryable,
  { kind, dir, withinMs }: { readonly kind: BackupRun["kind"]; readonly dir: string; readonly withinMs: number },
): Promise<boolean> {
  const [row] = await queryable.query<{ isKept: boolean }>(IS_KEPT, [kind, `${dir}/`, withinMs]);
  return row?.isKept === true;
}

const NEWEST_PLACE = `select place
from backup_run
where cause = 'schedule'
  and starts_with(place, $1)
  and ended_at is not null
  and error is null
  and ${NOT_AHEAD}
order by started_at desc
limit 1`;

/** Returns where the newest complete scheduled backup below a folder was written; null: there is none. */
export async function selectNewestPlace(queryable: Queryable, dir: string): Promise<string | null> {
  const [row] = await queryable.query<{ place: string }>(NEWEST_PLACE, [`${dir}/`]);
  return row?.place ?? null;
}

const LOG_POSITION = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written,
  clock_timestamp() as now,
  extract(epoch from clock_timestamp() - pg_postmaster_start_time())::bigint as "upSeconds"`;

/** The position of the server in its log. */
export interface LogPosition {
  /** The bytes of log that it has written in its life. */
  readonly written: bigint;
  /** By its clock. */
  readonly now: Temporal.Instant;
  /** Since its start. */
  readonly upSeconds: bigint;
}

export async function selectLogPosition(queryable: Queryable): Promise<LogPosition> {
  const [row] = await queryable.query<LogPosition>(LOG_POSITION);
  if (row === undefined) throw new Error("a select without a table answers one row");
  return row;
}

const SELECT_STORE_UID = `select uid
from ledger_key
order by retired_at is null, retired_at, created_at, uid
limit 1`;

/** Returns the uid of the store's first ledger key, which no reset of secrets changes; null: there is none yet. */
export async function selectStoreUid(queryable: Queryable): Promise<string | null> {
  const [key] = await queryable.query<{ uid: string }>(SELECT_STORE_UID);
  return key?.uid ?? null;
}
