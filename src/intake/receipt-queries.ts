import type { Queryable, Tx } from "../db/pool.ts";
import type { NewReceipt, Receipt, ReceiptState, ReceiptStatus } from "./receipt.ts";

// Ordered by key, so that two batches with common receipts wait for each other instead of deadlocking.
const INSERT = `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, note, received_at, headers, body)
select key, uid, adapter, topic, delivery_key, subject, state, note, received_at, headers::jsonb, body
from unnest($1::bytea[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
    $10::text[], $11::bytea[])
  as r (key, uid, adapter, topic, delivery_key, subject, state, note, received_at, headers, body)
order by key
on conflict (key) do nothing`;

// One statement, so that neither is stored without the other; a receipt that was known before keeps its own warnings.
const INSERT_WARNED = `with inserted as (
  ${INSERT}
  returning uid)
, warned as (
  insert into receipt_warning (uid, warnings)
  select i.uid, w.warnings::jsonb
  from inserted i
  join unnest($12::uuid[], $13::text[]) as w (uid, warnings) on w.uid = i.uid)
select
from inserted`;

/** Stores receipts that are not known yet, with their warnings. Returns how many were new. */
export function insertReceipts(queryable: Queryable, receipts: readonly NewReceipt[]): Promise<number> {
  const column = <T>(value: (receipt: NewReceipt) => T): T[] => receipts.map(value);
  const warned = receipts.filter(({ warnings }) => warnings.length > 0);
  const values = [
    column((r) => r.key),
    column((r) => r.uid),
    column((r) => r.adapter),
    column((r) => r.topic),
    column((r) => r.deliveryKey),
    column((r) => r.subject),
    column((r) => r.state),
    column((r) => r.note),
    column((r) => r.receivedAt),
    column((r) => JSON.stringify(r.headers)),
    column((r) => r.body),
  ];
  if (warned.length === 0) return queryable.execute(INSERT, values);
  const warnings = [warned.map(({ uid }) => uid), warned.map((r) => JSON.stringify(r.warnings))];
  return queryable.execute(INSERT_WARNED, [...values, ...warnings]);
}

const REPLACE_WARNINGS = `insert into receipt_warning (uid, warnings)
values ($1, $2)
on conflict (uid) do update set warnings = excluded.warnings`;

const DROP_WARNINGS = `delete from receipt_warning
where uid = $1`;

/** Replaces a receipt's warnings by those of a newer reading. */
export function replaceWarnings(tx: Tx, uid: string, warnings: NewReceipt["warnings"]): Promise<number> {
  return warnings.length === 0
    ? tx.execute(DROP_WARNINGS, [uid])
    : tx.execute(REPLACE_WARNINGS, [uid, JSON.stringify(warnings)]);
}

const STATUSES = `select key,
  state,
  note
from receipt
where key = any($1)`;

/** Returns the status of each receipt, in the order of the keys. */
export async function selectStatuses(queryable: Queryable, keys: readonly Buffer[]): Promise<ReceiptStatus[]> {
  const rows = await queryable.query<ReceiptStatus & { key: Buffer }>(STATUSES, [keys]);
  const byKey = new Map(rows.map(({ key, state, note }) => [key.toString("hex"), { state, note }]));
  return keys.map((key) => {
    const status = byKey.get(key.toString("hex"));
    if (status === undefined) throw new Error(`receipt ${key.toString("hex")} is not there`);
    return status;
  });
}

const DUE_ROWS_MAX = 1_000;

// No receipt waits for an hour: a later time is of a clock that was ahead and has been corrected since (decision 63).
const IS_DUE = "(due_at <= now() or due_at > now() + interval '1 hour')";

const DUE_SUBJECTS = `select subject
from receipt
where state = 'new'
  and ${IS_DUE}
order by uid
limit ${DUE_ROWS_MAX}`;

/** A subject with due receipts. */
export interface DueSubject {
  readonly subject: string;
  readonly due: number;
}

/** Returns the subjects with due receipts, longest waiting first; not all of them if there are very many. */
export async function selectDueSubjects(queryable: Queryable): Promise<readonly DueSubject[]> {
  const found = new Map<string, { subject: string; due: number }>();
  for (const row of await queryable.query<{ subject: string }>(DUE_SUBJECTS)) {
    const known = found.get(row.subject);
    if (known === undefined) found.set(row.subject, { ...row, due: 1 });
    else known.due += 1;
  }
  return [...found.values()];
}

const TRY_LOCK = `select pg_try_advisory_xact_lock(hashtextextended('receipt ' || $1::text, 0)) as "isMine"`;

const NEXT = `select key,
  subject,
  adapter,
  topic,
  headers,
  body,
  attempts,
  note,
  received_at as "receivedAt"
from receipt
where subject = $1
  and state = 'new'
  and ${IS_DUE}
order by uid
limit 1
for update`;

/** `note`: what the last attempt said; null: it is tried for the first time. */
export type NextReceipt = Receipt & Pick<ReceiptStatus, "note">;

/**
 * Locks a subject until the end of the transaction and reads its oldest due receipt; "busy" if another transaction has it. Two statements: the second
 * sees what the last holder of the lock committed.
 */
export async function lockNextReceipt(tx: Tx, subject: string): Promise<NextReceipt | "busy" | "none"> {
  const [[lock], [receipt]] = await Promise.all([
    tx.query<{ isMine: boolean }>(TRY_LOCK, [subject]),
    tx.query<NextReceipt>(NEXT, [subject]),
  ]);
  if (lock?.isMine !== true) return "busy";
  return receipt ?? "none";
}

const TRY_LOCKS = `select s.subject
from unnest($1::text[]) as s (subject)
where pg_try_advisory_xact_lock(hashtextextended('receipt ' || s.subject, 0))`;

/** Larger bodies are not read in sets, so that a set of receipts has a bounded size. */
const SET_BODY_BYTES_MAX = 64 * 1_024;

const NEXT_OF_EACH = `select r.*
from unnest($1::text[]) as s (subject)
cross join lateral (
  select key,
    subject,
    adapter,
    topic,
    headers,
    case when octet_length(body) <= $2 then body end as body,
    attempts,
    received_at as "receivedAt"
  from receipt
  where subject = s.subject
    and state = 'new'
    and ${IS_DUE}
  order by uid
  limit 1
  for update) r`;

/** The oldest due receipt of each subject; `body` is null if it is large. */
export interface NextReceipts {
  readonly receipts: readonly (Omit<Receipt, "body"> & { readonly body: Buffer | null })[];
  /** Subjects that another transaction has. */
  readonly busy: readonly string[];
}

/** Locks subjects until the end of the transaction, like `lockNextReceipt` locks one, and reads what is due for those that it could lock. */
export async function lockNextReceipts(tx: Tx, subjects: readonly string[]): Promise<NextReceipts> {
  const rows = await tx.query<{ subject: string }>(TRY_LOCKS, [subjects]);
  const mine = new Set(rows.map(({ subject }) => subject));
  const receipts = await tx.query<NextReceipts["receipts"][number]>(NEXT_OF_EACH, [[...mine], SET_BODY_BYTES_MAX]);
  return { receipts, busy: subjects.filter((subject) => !mine.has(subject)) };
}

const FINISH = `update receipt r
set state = u.state,
  note = u.note
from unnest($1::bytea[], $2::text[], $3::text[]) as u (key, state, note)
where r.key = u.key`;

/** A receipt and the result of its processing. */
export interface FinishedReceipt {
  readonly receipt: Pick<Receipt, "key" | "subject">;
  readonly status: ReceiptStatus;
}

/** Records the results of processing, in its transaction. */
export async function finishReceipts(tx: Tx, finished: readonly FinishedReceipt[]): Promise<void> {
  if (finished.length === 0) return;
  await tx.execute(FINISH, [
    finished.map(({ receipt }) => receipt.key),
    finished.map(({ status }) => status.state),
    finished.map(({ status }) => status.note),
  ]);
}

const WAKE_WAITING = `update receipt
set state = 'new',
  due_at = now()
where subject = any($1)
  and state = 'waiting'
  and key <> all($2::bytea[])`;

/** Makes receipts due that waited for the receipts' subjects, except the given receipts. */
export async function wakeWaiting(tx: Tx, receipts: readonly Pick<Receipt, "subject" | "key">[]): Promise<void> {
  if (receipts.length === 0) return;
  await tx.execute(WAKE_WAITING, [receipts.map(({ subject }) => subject), receipts.map(({ key }) => key)]);
}

const RECORD_FAILURE = `update receipt
set state = $3,
  note = $4,
  attempts = attempts + 1,
  due_at = now() + $5 * interval '1 millisecond'
where key = $1
  and attempts = $2
  and state = 'new'`;

/** Counts a failure, unless another worker has processed the receipt since it was read. */
export function recordFailure(
  queryable: Queryable,
  receipt: Pick<Receipt, "key" | "attempts">,
  failure: ReceiptStatus & { readonly waitMs: number },
): Promise<number> {
  return queryable.execute(RECORD_FAILURE, [
    receipt.key,
    receipt.attempts,
    failure.state,
    failure.note,
    failure.waitMs,
  ]);
}

const POSTPONE = `update receipt
set note = $2,
  due_at = now() + interval '1 second'
where key = $1`;

/** Makes a locked receipt due again soon, with its attempts as they are: nothing of it was done. */
export async function postponeReceipt(
  tx: Tx,
  { key }: Pick<Receipt, "key">,
  { note }: Pick<ReceiptStatus, "note">,
): Promise<void> {
  await tx.execute(POSTPONE, [key, note]);
}

const BY_UID = `select key,
  subject,
  adapter,
  topic,
  headers,
  body,
  attempts,
  received_at as "receivedAt"
from receipt
where uid = $1
for update`;

/** Reads and locks a receipt by its uid; its body is null if it was deleted. */
export async function lockReceipt(
  tx: Tx,
  uid: string,
): Promise<(Omit<Receipt, "body"> & { readonly body: Buffer | null }) | undefined> {
  const rows = await tx.query<Omit<Receipt, "body"> & { body: Buffer | null }>(BY_UID, [uid]);
  return rows[0];
}

const RENEW = `update receipt
set subject = $2,
  state = $3,
  note = $4,
  attempts = 0,
  due_at = now()
where key = $1`;

/** Sets a receipt back to be processed again. */
export function renewReceipt(
  tx: Tx,
  key: Buffer,
  to: { readonly subject: string; readonly state: ReceiptState; readonly note: string | null },
): Promise<number> {
  return tx.execute(RENEW, [key, to.subject, to.state, to.note]);
}
