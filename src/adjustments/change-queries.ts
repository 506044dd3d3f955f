import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import {
  type ImportRequest,
  type MergeRequest,
  type ProgramRequest,
  requestedFileCodec,
} from "./adjustment-request.ts";

const INSERT_IMPORT = `insert into adjustment_request (uid, kind, import_uid, file, excess, earlier_of_day, requested_by, requested_name,
  requested_at, expires_at)
values ($1, $2, $3, $4::text::jsonb, $5, $6, $7, $8, $9, $10)`;

const INSERT_PROGRAM = `insert into adjustment_request (uid, kind, document, base_version, apply_now, valid_from, raises, requested_by,
  requested_name, requested_at, expires_at)
values ($1, 'program', $2::text::jsonb, $3, $4, $5, $6::text::jsonb, $7, $8, $9, $10)`;

const POINTS_MAX = 9_223_372_036_854_775_807n;

export async function insertImportRequest(tx: Tx, r: ImportRequest): Promise<void> {
  const earlier = r.earlierOfDay > POINTS_MAX ? POINTS_MAX : r.earlierOfDay;
  const about = [r.kind, r.importUid, JSON.stringify(requestedFileCodec.encode(r.file)), r.excess, earlier];
  await tx.execute(INSERT_IMPORT, [r.uid, ...about, r.requestedBy, r.requestedName, r.requestedAt, r.expiresAt]);
}

export async function insertProgramRequest(tx: Tx, r: ProgramRequest, document: unknown): Promise<void> {
  const about = [JSON.stringify(document), r.baseVersion, r.isNow, r.validFrom, JSON.stringify(r.raises)];
  await tx.execute(INSERT_PROGRAM, [r.uid, ...about, r.requestedBy, r.requestedName, r.requestedAt, r.expiresAt]);
}

const INSERT_MERGE = `insert into adjustment_request (uid, kind, bucket, customer_uid, point_value, excess, earlier_points, earlier_of_day,
  removed_uid, removed_id, requested_by, requested_name, requested_at, expires_at)
values ($1, 'merge', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

export async function insertMergeRequest(tx: Tx, r: MergeRequest): Promise<void> {
  const moved = [r.pointValue, r.excess, r.earlierPoints, r.earlierOfDay];
  const about = [r.bucket, r.customerUid, ...moved, r.removedUid, r.removedId];
  await tx.execute(INSERT_MERGE, [r.uid, ...about, r.requestedBy, r.requestedName, r.requestedAt, r.expiresAt]);
}

const WAITING_MERGE = `select r.customer_uid as "customerUid",
  r.requested_by as "requestedBy",
  r.requested_name as "requestedName",
  r.requested_at as "requestedAt"
from adjustment_request r
where ((r.bucket = $1 and r.customer_uid = $2 and r.removed_uid = $4)
    or (r.bucket = $3 and r.customer_uid = $4 and r.removed_uid = $2))
  and r.state = 'waiting'
  and r.expires_at > $5
limit 1`;

/**
 * Returns a waiting request to merge two customers, whichever of them is to stay. Both balances are locked, so no other request can be made
 * meanwhile.
 */
export async function selectWaitingMerge(
  tx: Tx,
  [one, other]: readonly [CustomerRef, CustomerRef],
  now: Temporal.Instant,
): Promise<Pick<MergeRequest, "customerUid" | "requestedBy" | "requestedName" | "requestedAt"> | undefined> {
  const pair = [one.bucket, one.customerUid, other.bucket, other.customerUid];
  return (await tx.query<MergeRequest>(WAITING_MERGE, [...pair, now]))[0];
}

/** Returns the document that a requested change of the program applies to its base version. */
export async function selectRequestedDocument(queryable: Queryable, uid: string): Promise<unknown> {
  const [row] = await queryable.query<{ document: unknown }>("select document from adjustment_request where uid = $1", [
    uid,
  ]);
  return row?.document;
}

const SAME_PROGRAM = `select r.uid
from adjustment_request r
where r.state = 'waiting'
  and r.kind = 'program'
  and r.expires_at > $1
  and r.requested_by = $2
  and r.base_version = $3
  and r.apply_now = $4
  and r.document = $5::text::jsonb
  and r.valid_from is not distinct from $6
limit 1`;

/** Returns the waiting request of the same person for the same change of the program. */
export async function selectSameProgram(
  tx: Tx,
  { requestedBy, requestedAt, baseVersion, isNow, validFrom }: ProgramRequest,
  document: unknown,
): Promise<string | undefined> {
  const asked = [requestedAt, requestedBy, baseVersion, isNow, JSON.stringify(document), validFrom];
  return (await tx.query<{ uid: string }>(SAME_PROGRAM, asked))[0]?.uid;
}

const COUNT_PROGRAMS = `select count(*)::int as count
from adjustment_request r
where r.state = 'waiting'
  and r.kind = 'program'
  and r.expires_at > $1`;

/** Returns how many changes of the program wait. */
export async function countWaitingPrograms(tx: Tx, now: Temporal.Instant): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_PROGRAMS, [now]);
  return row?.count ?? 0;
}

const APPROVALS_OF_IMPORT = `select r.kind,
  r.decided_name as "by",
  r.decided_at as "at"
from adjustment_request r
where r.import_uid = $1
  and r.state = 'approved'
  and r.decided_at is not null`;

/** Who approved that an import is started or undone, and when. */
export interface ImportApproval {
  readonly kind: ImportRequest["kind"];
  readonly by: string;
  readonly at: Temporal.Instant;
}

/** Returns the approved requests for an import: none where nobody else had to approve it. */
export async function selectImportApprovals(queryable: Queryable, importUid: string): Promise<ImportApproval[]> {
  return await queryable.query<ImportApproval>(APPROVALS_OF_IMPORT, [importUid]);
}

const OF_IMPORT = `select r.uid,
  r.requested_by as "requestedBy",
  r.requested_name as "requestedName",
  r.requested_at as "requestedAt",
  r.expires_at as "expiresAt"
from adjustment_request r
where r.import_uid = $1
  and r.state = 'waiting'
  and r.expires_at > $2
order by r.requested_at desc
limit 1`;

/** Returns the waiting request for an import. */
export async function selectWaitingImport(
  queryable: Queryable,
  importUid: string,
  now: Temporal.Instant,
): Promise<Pick<ImportRequest, "uid" | "requestedBy" | "requestedName" | "requestedAt" | "expiresAt"> | undefined> {
  const rows = await queryable.query<ImportRequest>(OF_IMPORT, [importUid, now]);
  return rows[0];
}
