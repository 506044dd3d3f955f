import type { Param } from "../db/encode-param.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import {
  type AdjustmentRequest,
  type ApprovalRequest,
  type Decision,
  type MergeRequest,
  requestedFileCodec,
} from "./adjustment-request.ts";

const COLUMNS = `r.uid,
  r.bucket,
  r.customer_uid as "customerUid",
  r.kind,
  r.point_value as "pointValue",
  r.excess,
  r.earlier_points as "earlierPoints",
  r.earlier_of_day as "earlierOfDay",
  r.balance,
  r.undoes,
  r.extends,
  r.origin,
  r.reason_type as "reasonType",
  r.note,
  r.requested_by as "requestedBy",
  r.requested_name as "requestedName",
  r.requested_at as "requestedAt",
  r.expires_at as "expiresAt",
  r.state,
  r.decided_by as "decidedBy",
  r.decided_name as "decidedName",
  r.decided_at as "decidedAt",
  r.decision_note as "decisionNote",
  r.allotment_uid as "allotmentUid",
  r.import_uid as "importUid",
  r.file,
  r.base_version as "baseVersion",
  r.apply_now as "isNow",
  r.valid_from as "validFrom",
  r.raises,
  r.program_version as "programVersion",
  r.removed_uid as "removedUid",
  r.removed_id as "removedId"`;

/** Reads stored requests. Only those of imports have a file. */
async function readRequests<Request extends ApprovalRequest>(
  queryable: Queryable,
  text: string,
  params: readonly Param[],
): Promise<Request[]> {
  const rows = await queryable.query<Request & { readonly file: unknown }>(text, params);
  return rows.map((row) => (row.file === null ? row : { ...row, file: requestedFileCodec.decode(row.file) }));
}

const BY_UID = `select ${COLUMNS}
from adjustment_request r
where r.uid = $1`;

export async function selectRequest(queryable: Queryable, uid: string): Promise<ApprovalRequest | undefined> {
  return (await readRequests<ApprovalRequest>(queryable, BY_UID, [uid]))[0];
}

const LOCK = `${BY_UID}
for update of r`;

/** Locks a request until the transaction ends. Call it before any balance is locked. */
export async function lockRequest(tx: Tx, uid: string): Promise<ApprovalRequest | undefined> {
  return (await readRequests<ApprovalRequest>(tx, LOCK, [uid]))[0];
}

const WAITING_UNDO = `select ${COLUMNS}
from adjustment_request r
where r.undoes = $1
  and r.state = 'waiting'
  and r.expires_at > $2
limit 1`;

/** Returns a waiting request to undo an allotment, whichever customer has its points now. */
export async function selectWaitingUndo(
  queryable: Queryable,
  allotmentUid: string,
  now: Temporal.Instant,
): Promise<AdjustmentRequest | undefined> {
  return (await queryable.query<AdjustmentRequest>(WAITING_UNDO, [allotmentUid, now]))[0];
}

const INSERT = `insert into adjustment_request (uid, bucket, customer_uid, kind, point_value, balance, undoes, extends, origin,
  reason_type, note, requested_by, requested_name, requested_at, expires_at, earlier_points, excess, earlier_of_day)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

export async function insertAdjustmentRequest(tx: Tx, r: AdjustmentRequest): Promise<void> {
  const customer = [r.uid, r.bucket, r.customerUid];
  const content = [r.kind, r.pointValue, r.balance, r.undoes, r.extends, r.origin, r.reasonType, r.note];
  const asked = [r.requestedBy, r.requestedName, r.requestedAt, r.expiresAt];
  await tx.execute(INSERT, [...customer, ...content, ...asked, r.earlierPoints, r.excess, r.earlierOfDay]);
}

// The note is not stored if the request's customer has been erased.
const DECIDE = `update adjustment_request r
set state = $2,
  decided_by = $3,
  decided_name = $4,
  decided_at = $5,
  decision_note = case when r.customer_uid is null then $6::text else (
    select $6::text
    from customer c
    where c.bucket = r.bucket
      and c.customer_uid = r.customer_uid
      and c.redacted_at is null) end,
  allotment_uid = $7,
  program_version = $8
where uid = $1
  and state = 'waiting'`;

export interface Decided {
  readonly decision: Decision;
  readonly by: string;
  readonly name: string;
  readonly at: Temporal.Instant;
  readonly note: string | null;
  /** What an approval created. */
  readonly allotmentUid?: string | null;
  readonly programVersion?: number;
}

/** Writes the decision of a locked request. */
export async function writeDecision(tx: Tx, uid: string, decided: Decided): Promise<void> {
  const { decision, by, name, at, note, allotmentUid = null, programVersion = null } = decided;
  const count = await tx.execute(DECIDE, [uid, decision, by, name, at, note, allotmentUid, programVersion]);
  if (count !== 1) throw new Error(`request ${uid} was decided under its lock`);
}

const WHO = `c.storefront_id as "storefrontId",
  c.name,
  c.email,
  s.email as "requestedEmail",
  s.disabled_at is not null as "isRequesterDisabled"`;
const JOINED = `left join customer c on c.bucket = r.bucket and c.customer_uid = r.customer_uid
join staff s on s.uid = r.requested_by`;

/** A request and the customer of its balance, as a list shows it. */
export type ListedRequest = ApprovalRequest & RequestNames;

interface RequestNames {
  /** The customer of an adjustment; null: the request concerns no customer. */
  readonly storefrontId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  /** The requester's e-mail: a name is not unique, and its owner may change it. */
  readonly requestedEmail: string;
  /** It cannot be approved then. */
  readonly isRequesterDisabled: boolean;
}

const WAITING = `select ${COLUMNS},
  ${WHO}
from adjustment_request r
${JOINED}
where r.state = 'waiting'
  and r.expires_at > $1
  and (r.requested_at, r.uid) < ($2, $3)
order by r.requested_at desc, r.uid desc
limit $4`;

const DECIDED = `select ${COLUMNS},
  ${WHO}
from adjustment_request r
${JOINED}
where r.state <> 'waiting'
  and $1::timestamptz is not null
  and (r.decided_at, r.uid) < ($2, $3)
order by r.decided_at desc, r.uid desc
limit $4`;

/** The position before which a page begins. */
export interface RequestPlace {
  readonly at: Temporal.Instant;
  readonly uid: string;
}

/** Returns requests that wait and can still be decided, or decided ones, newest first. */
export function selectRequests(
  queryable: Queryable,
  list: "waiting" | "decided",
  now: Temporal.Instant,
  { before, limit }: { readonly before: RequestPlace; readonly limit: number },
): Promise<ListedRequest[]> {
  return readRequests<ListedRequest>(queryable, list === "waiting" ? WAITING : DECIDED, [
    now,
    before.at,
    before.uid,
    limit,
  ]);
}

const ONE = `select ${COLUMNS},
  ${WHO}
from adjustment_request r
${JOINED}
where r.uid = $1`;

export async function selectListedRequest(queryable: Queryable, uid: string): Promise<ListedRequest | undefined> {
  return (await readRequests<ListedRequest>(queryable, ONE, [uid]))[0];
}

const COUNT = `select count(*)::int as count
from (
  select
  from adjustment_request r
  where r.state = 'waiting'
    and r.expires_at > $1
  limit 100) waiting`;

/** Returns how many wait, counted up to 100. */
export async function countWaiting(queryable: Queryable, now: Temporal.Instant): Promise<number> {
  const [row] = await queryable.query<{ count: number }>(COUNT, [now]);
  return row?.count ?? 0;
}

const OF_CUSTOMER = `select ${COLUMNS},
  k.storefront_id as "keptId"
from adjustment_request r
left join customer k on r.kind = 'merge' and k.bucket = r.bucket and k.customer_uid = r.customer_uid
where ((r.bucket = $1 and r.customer_uid = $2) or r.removed_uid = $2)
  and r.state = 'waiting'
  and r.expires_at > $3
order by r.requested_at`;

/** A request that waits for a customer; for a merge, `keptId` is the survivor. */
export type CustomerRequest = AdjustmentRequest | (MergeRequest & { readonly keptId: string });

/** Returns the requests that wait for a customer, including merges into another customer, oldest first. */
export function selectWaitingOf(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  now: Temporal.Instant,
): Promise<CustomerRequest[]> {
  return queryable.query<CustomerRequest>(OF_CUSTOMER, [bucket, customerUid, now]);
}
