import { isLeaseOver, type LeasedRow, leaseEnd, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** The right to make an export's file, until it ends unless renewed. */
export interface ExportLease extends LeasedRow {
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
  /** Including this one. */
  readonly attempts: number;
}

export const EXPORT_LEASE_S = 60;
/** Seconds; neither a lease nor a pause after a failure is that long. */
const LONGEST_S = 3_600;

export const exportLeases = leasesOf<ExportLease>({
  update: "update export",
  key: "uid",
  free: `select w.uid
  from export w
  where w.state = 'processing'
    and (w.lease_until is null or ${isLeaseOver("w", LONGEST_S)})
  order by w.requested_at`,
  columns: `l.uid,
  l.lease_uid as "leaseUid",
  l.start_at as "startAt",
  l.end_at as "endAt",
  l.attempts`,
  seconds: EXPORT_LEASE_S,
});

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
  set lease_until = ${leaseEnd(EXPORT_LEASE_S)}
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

/** Removes what an earlier attempt wrote. */
export async function clearPieces(queryable: Queryable, { uid, leaseUid }: ExportLease): Promise<void> {
  await queryable.execute(CLEAR, [uid, leaseUid]);
}

/** Writes a piece. Returns whether the lease was still held: otherwise nothing is written. */
export async function insertPiece(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  n: number,
  bytes: Buffer,
): Promise<boolean> {
  return (await queryable.execute(WRITE_PIECE, [uid, leaseUid, n, bytes])) === 1;
}

/** Returns whether the lease was still held. */
export async function finishExport(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  made: { readonly at: Temporal.Instant; readonly rows: number; readonly bytes: number; readonly pieces: number },
): Promise<boolean> {
  return (await queryable.execute(FINISH, [uid, leaseUid, made.at, made.rows, made.bytes, made.pieces])) === 1;
}

/** Marks an export as failed: it no longer counts for the limit of one in 8 hours. */
export async function failExport(
  queryable: Queryable,
  { uid, leaseUid }: ExportLease,
  failed: { readonly at: Temporal.Instant; readonly error: string },
): Promise<void> {
  await queryable.execute(FAIL, [uid, leaseUid, failed.at, failed.error]);
}
