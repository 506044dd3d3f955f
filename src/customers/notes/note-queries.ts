import type { Queryable, Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";

/** A note about a customer. */
export interface CustomerNote {
  readonly uid: string;
  readonly body: string;
  /** The author in `staff`, with the name at that time. */
  readonly writtenBy: string;
  readonly writtenName: string;
  readonly writtenAt: Temporal.Instant;
}

const COLUMNS = `n.uid,
  n.body,
  n.written_by as "writtenBy",
  n.written_name as "writtenName",
  n.written_at as "writtenAt"`;

const SELECT = `select ${COLUMNS}
from customer_note n
where n.bucket = $1
  and n.customer_uid = $2
  and (n.written_at, n.uid::text) < ($3, $4)
order by n.written_at desc, n.uid::text desc
limit $5`;

const SELECT_ONE = `select ${COLUMNS}
from customer_note n
where n.bucket = $1
  and n.customer_uid = $2
  and n.uid = $3`;

const COUNT = `select count(*) as notes
from customer_note n
where n.bucket = $1
  and n.customer_uid = $2`;

const INSERT = `insert into customer_note (bucket, customer_uid, uid, body, written_by, written_name, written_at)
values ($1, $2, $3, $4, $5, $6, $7)`;

const DELETE = `delete from customer_note
where bucket = $1
  and customer_uid = $2
  and uid = $3`;

// A note from a form that was sent to both customers already exists there: it is the same note.
const MOVE = `with moved as (
  delete from customer_note
  where bucket = $1
    and customer_uid = $2
  returning uid, body, written_by, written_name, written_at)
insert into customer_note (bucket, customer_uid, uid, body, written_by, written_name, written_at)
select $3::smallint, $4::uuid, uid, body, written_by, written_name, written_at
from moved
on conflict do nothing`;

const FORGET = `delete from customer_note n
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where n.bucket = k.bucket
  and n.customer_uid = k.customer_uid`;

/** Returns a customer's notes before a position, newest first. */
export function selectNotes(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { at, id, limit }: { readonly at: Temporal.Instant; readonly id: string; readonly limit: number },
): Promise<CustomerNote[]> {
  return queryable.query<CustomerNote>(SELECT, [bucket, customerUid, at, id, limit]);
}

export async function selectNote(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  uid: string,
): Promise<CustomerNote | undefined> {
  const [note] = await queryable.query<CustomerNote>(SELECT_ONE, [bucket, customerUid, uid]);
  return note;
}

export async function countNotes(queryable: Queryable, { bucket, customerUid }: CustomerRef): Promise<number> {
  const [counted] = await queryable.query<{ notes: bigint }>(COUNT, [bucket, customerUid]);
  return Number(counted?.notes ?? 0n);
}

/** Stores a note about a customer whose balance is locked. */
export async function insertNote(tx: Tx, { bucket, customerUid }: CustomerRef, note: CustomerNote): Promise<void> {
  const { uid, body, writtenBy, writtenName, writtenAt } = note;
  await tx.execute(INSERT, [bucket, customerUid, uid, body, writtenBy, writtenName, writtenAt]);
}

export async function deleteNote(tx: Tx, { bucket, customerUid }: CustomerRef, uid: string): Promise<void> {
  await tx.execute(DELETE, [bucket, customerUid, uid]);
}

/** Moves the notes of a merged customer to the surviving one, however many there are. Both balances must be locked. */
export async function moveNotes(tx: Tx, removed: CustomerRef, kept: CustomerRef): Promise<void> {
  await tx.execute(MOVE, [removed.bucket, removed.customerUid, kept.bucket, kept.customerUid]);
}

/** Removes the notes about customers who are deleted or erased. */
export async function deleteNotesOf(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(FORGET, refKeys(refs));
}
