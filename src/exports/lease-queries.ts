import type { Queryable } from "../db/pool.ts";

/** The right to make an export's file, until it is lost by time. */
export interface ExportLease {
  readonly uid: string;
  readonly leaseUid: string;
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
  /** This one included. */
  readonly attempts: number;
}

/** Leases are renewed well within their 60 seconds. */
export const RENEW_MS = 15_000;
export const ATTEMPTS_MAX = 3;

// Leases run by the database's machine clock: they are about crashes, not about the store's time.
const CLAIM = `update export e
set lease_uid = $1,
  lease_until = clock_timestamp() + interval '60 seconds',
  attempts = e.attempts + 1
where e.uid = (
  select w.uid
  from export w
  where w.state = 'processing'
    and (w.lease_until is null or w.lease_until < clock_timestamp())
  order by w.requested_at
  limit 1
  for no key update skip locked)
returning e.uid,
  e.lease_uid as "leaseUid",
  e.start_at as "startAt",
  e.end_at as "endAt",
  e.attempts`;

const RENEW = `update export
set lease_until = clock_timestamp() + interval '60 seconds'
where uid = $1
  and lease_uid = $2`;

const POSTPONE = `update export
set lease_uid = null,
  lease_until = clock_timestamp() + make_interval(secs => $3)
where uid = $1
  and lease_uid = $2`;

const CLEAR = `with held as (
  update export
  set piece_count = null
  where uid = $1
    and lease_uid = $2
  returning uid)
delete from export_piece p
using held
where p.export_uid = held.uid`;

const WRITE_PIECE = `with held as (
  update export
  set lease_until = clock_timestamp() + interval '60 seconds'
  where uid = $1
    and lease_uid = $2
  returning uid)
insert into export_piece (export_uid, n, bytes)
select uid, $3, $4
from held`;

const FINISH = `update export
set state = 'ready',
  finished_at = $3,
  row_count = $4,
  byte_count = $5,
  piece_count = $6,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2`;

const FAIL = `update export
set state = 'failed',
  finished_at = $3,
  error = $4,
  lease_uid = null,
  lease_until = null
where uid = $1
  and lease_uid = $2`;

/** Takes the oldest export that nobody makes; undefined: there is none. */
export async function claimExport(queryable: Queryable, leaseUid: string): Promise<ExportLease | undefined> {
  const rows = await queryable.query<ExportLease>(CLAIM, [leaseUid]);
  return rows[0];
}

/** Answers whether the lease was still held. */
export async function renewLease(queryable: Queryable, { uid, leaseUid }: ExportLease): Promise<boolean> {
  return (await queryable.execute(RENEW, [uid, leaseUid])) === 1;
}

/** Leaves an export to the next attempt, no sooner than in so many seconds. */
export async function postponeExport(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  waitS: number,
): Promise<void> {
  await queryable.execute(POSTPONE, [uid, leaseUid, waitS]);
}

/** Removes what an earlier attempt wrote. */
export async function clearPieces(queryable: Queryable, { uid, leaseUid }: ExportLease): Promise<void> {
  await queryable.execute(CLEAR, [uid, leaseUid]);
}

/** Answers whether the lease was still held: without it nothing is written. */
export async function insertPiece(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  n: number,
  bytes: Buffer,
): Promise<boolean> {
  return (await queryable.execute(WRITE_PIECE, [uid, leaseUid, n, bytes])) === 1;
}

/** Answers whether the lease was still held. */
export async function finishExport(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  made: { readonly at: Temporal.Instant; readonly rows: number; readonly bytes: number; readonly pieces: number },
): Promise<boolean> {
  return (await queryable.execute(FINISH, [uid, leaseUid, made.at, made.rows, made.bytes, made.pieces])) === 1;
}

/** Gives an export up: its turn of the 8 hours is given back. */
export async function failExport(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  failed: { readonly at: Temporal.Instant; readonly error: string },
): Promise<void> {
  await queryable.execute(FAIL, [uid, leaseUid, failed.at, failed.error]);
}
