import { type LedgerEntry, withNotes } from "../admin/ledger/queries.ts";
import type { Queryable } from "../db/pool.ts";
import { allotmentNotes } from "../imports/queries.ts";
import type { ReceiptState } from "../intake/receipt.ts";

/** A row of a tail, with its position. */
export interface TailPosition {
  readonly at: Temporal.Instant;
  readonly uid: string;
}

/** The rows to read: those after `after` and up to `upTo`, oldest first; or the newest of them, also oldest first. */
export interface TailQuery {
  readonly after: TailPosition;
  readonly upTo: Temporal.Instant;
  readonly rows: number;
  readonly isNewest: boolean;
}

const NOTES = allotmentNotes("a");

const walkBy = (order: "asc" | "desc") => `select a.*
  from allotment a
  where a.allotted_at >= $1
    and (a.allotted_at, a.uid) > ($1, $2)
    and a.allotted_at <= $3
  order by a.allotted_at ${order}, a.uid ${order}
  limit $4`;

// materialized: Citus then finds the customers of these rows by key, and would otherwise send all customers to each node (decision 93)
const ALLOTMENTS = (from: string) => `with a as materialized (
  select a.*, b.merged_into
  from (
    select a.*, ${NOTES.note}, ${NOTES.actor} as actor
    from ${from}
    order by a.allotted_at, a.uid
    limit $4) a
  join balance b on b.bucket = a.bucket and b.customer_uid = a.customer_uid)
select a.uid,
  a.allotted_at as "allottedAt",
  a.type,
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.object,
  a.parent,
  a.action,
  a.app_reference as "appReference",
  a.reason_type as "reasonType",
  a.note,
  a.actor,
  c.storefront_id as "storefrontId",
  c.name,
  c.email,
  c.deleted_at is not null and a.merged_into is null as "isDeleted"
from a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
order by a.allotted_at, a.uid`;

/** Returns allotments of a tail. `upTo` is not after the settled mark, so that none can appear later between those that were shown. */
export async function selectTailAllotments(db: Queryable, query: TailQuery): Promise<LedgerEntry[]> {
  const { after, upTo, rows, isNewest } = query;
  const from = await withNotes(db, walkBy(isNewest ? "desc" : "asc"));
  return db.query<LedgerEntry>(ALLOTMENTS(from), [after.at, after.uid, upTo, rows]);
}

export interface TailReceipt {
  readonly uid: string;
  readonly receivedAt: Temporal.Instant;
  readonly adapter: string;
  readonly topic: string;
  readonly subject: string;
  readonly state: ReceiptState;
  readonly note: string | null;
}

// A receipt's uid is a UUIDv7 of the machine's clock, which gives the order of the table by time.
const uidAt = (instant: string) =>
  `(select (substr(h.hex, 1, 8) || '-' || substr(h.hex, 9, 4) || '-0000-0000-000000000000')::uuid
    from (select lpad(to_hex(greatest(0, floor(extract(epoch from ${instant}::timestamptz) * 1000))::bigint), 12, '0') as hex) h)`;

const RECEIPTS = (order: "asc" | "desc") => `select r.*
from (
  select r.uid,
    r.received_at as "receivedAt",
    r.adapter,
    r.topic,
    r.subject,
    r.state,
    r.note
  from receipt r
  where r.uid > greatest(${uidAt("$1")}, $2)
    and r.uid < ${uidAt("$3")}
  order by r.uid ${order}
  limit $4) r
order by r.uid`;

/** Returns receipts of a tail, in the order of arrival. */
export function selectTailReceipts(db: Queryable, query: TailQuery): Promise<TailReceipt[]> {
  const { after, upTo, rows, isNewest } = query;
  return db.query<TailReceipt>(RECEIPTS(isNewest ? "desc" : "asc"), [after.at, after.uid, upTo, rows]);
}

// Rows have the start time of their transaction: after the start of the oldest writing transaction, rows may still appear.
const SETTLED_ROWS = `select least(
  clock_timestamp() - $1::bigint * interval '1 millisecond',
  (select min(s.xact_start)
  from pg_stat_activity s
  where s.datname = current_database()
    and s.pid <> pg_backend_pid()
    and s.backend_xid is not null)) as at`;

/** Returns an instant of the machine's clock, at least `lagMs` ago, before which no row of a present transaction can appear. */
export async function selectSettledRows(db: Queryable, lagMs: number): Promise<Temporal.Instant> {
  const [row] = await db.query<{ at: Temporal.Instant }>(SETTLED_ROWS, [lagMs]);
  if (row === undefined) throw new Error("a select without from has one row");
  return row.at;
}
