import type { Queryable, Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { Hold } from "./hold.ts";

const COLUMNS = `r.uid,
  r.bucket,
  r.customer_uid as "customerUid",
  r.point_value as points,
  r.state,
  r.captured_points as captured,
  r.expires_at as "expiresAt"`;

type HoldRow = Omit<Hold, "customer"> & CustomerRef;

function toHold({ bucket, customerUid, ...row }: HoldRow): Hold {
  return { ...row, customer: { bucket, customerUid } };
}

const SELECT_HOLD = `select ${COLUMNS}
from reservation r
where r.uid = $1`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The hold of an id; undefined for any other text. */
export async function selectHold(queryable: Queryable, uid: string): Promise<Hold | undefined> {
  if (!UUID.test(uid)) return undefined;
  const [row] = await queryable.query<HoldRow>(SELECT_HOLD, [uid]);
  return row && toHold(row);
}

const SELECT_HELD = `select ${COLUMNS}
from reservation r
where r.bucket = $1
  and r.customer_uid = $2
  and r.state = 'held'
order by r.uid`;

/** What is held of a balance, which is locked. */
export async function selectHeld(tx: Tx, { bucket, customerUid }: CustomerRef): Promise<Hold[]> {
  return (await tx.query<HoldRow>(SELECT_HELD, [bucket, customerUid])).map(toHold);
}

const INSERT_HOLD = `insert into reservation (bucket, customer_uid, uid, point_value, state, app_reference, held_at, expires_at)
values ($1, $2, $3, $4, 'held', $5, $6, $7)`;

const ADD_HELD = `update balance
set held_points = held_points + $3,
  held_until = least(held_until, $4)
where bucket = $1
  and customer_uid = $2`;

/** Keeps a new hold of a balance, which is locked and has the points. */
export async function insertHold(
  tx: Tx,
  { uid, customer: { bucket, customerUid }, points, expiresAt }: Hold,
  made: { readonly appReference: string; readonly heldAt: Temporal.Instant },
): Promise<void> {
  await tx.execute(INSERT_HOLD, [bucket, customerUid, uid, points, made.appReference, made.heldAt, expiresAt]);
  await tx.execute(ADD_HELD, [bucket, customerUid, points, expiresAt]);
}

const SELECT_NEXT_END = `select min(r.expires_at) as "endsAt"
from reservation r
where r.state = 'held'`;

/** When the first hold ends by itself; null: none does. */
export async function selectNextHoldEnd(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ endsAt: Temporal.Instant | null }>(SELECT_NEXT_END);
  return row?.endsAt ?? null;
}

const SELECT_OVERDUE = `select r.bucket,
  r.customer_uid as "customerUid"
from reservation r
where r.state = 'held'
  and r.expires_at <= $1
  and r.customer_uid <> all($2::uuid[])
order by r.expires_at
limit 1`;

/** Whose hold is over first, but for the customers seen. */
export async function selectOverdueCustomer(
  queryable: Queryable,
  now: Temporal.Instant,
  seen: readonly string[],
): Promise<CustomerRef | undefined> {
  const [row] = await queryable.query<CustomerRef>(SELECT_OVERDUE, [now, seen]);
  return row;
}
