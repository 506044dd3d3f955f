import { byShard } from "../../db/citus/by-shard.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../customer-ref.ts";
import type { CustomerChange, CustomerLedger } from "../posting.ts";
import { captureKey, type Hold, type HoldEnd } from "./hold.ts";

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

/** Returns the hold with this id; undefined if there is none or the text is not a uuid. */
export async function selectHold(queryable: Queryable, uid: string): Promise<Hold | undefined> {
  if (!UUID.test(uid)) return undefined;
  const [row] = await queryable.query<HoldRow>(SELECT_HOLD, [uid]);
  return row && toHold(row);
}

const SELECT_HELD = `select ${COLUMNS}
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join reservation r on r.bucket = k.bucket and r.customer_uid = k.customer_uid
where r.state = 'held'
order by r.uid`;

/** Returns the active holds of balances, which must be locked. */
export async function selectHeld(tx: Tx, refs: readonly CustomerRef[]): Promise<Hold[]> {
  return (await tx.query<HoldRow>(SELECT_HELD, refKeys(refs))).map(toHold);
}

const INSERT_HOLD = `insert into reservation (bucket, customer_uid, uid, point_value, state, app_reference, held_at, expires_at)
values ($1, $2, $3, $4, 'held', $5, $6, $7)`;

const ADD_HELD = `update balance
set held_points = held_points + $3,
  held_until = least(held_until, $4)
where bucket = $1
  and customer_uid = $2`;

/** Inserts a hold. Its balance must be locked and have the points. */
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

/** Returns when the first hold ends by itself; null: none does. */
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

/** Returns the customer whose hold ended first, except the given customers. */
export async function selectOverdueCustomer(
  queryable: Queryable,
  now: Temporal.Instant,
  seen: readonly string[],
): Promise<CustomerRef | undefined> {
  const [row] = await queryable.query<CustomerRef>(SELECT_OVERDUE, [now, seen]);
  return row;
}

const readEnded = (more = "") => `select r.customer_uid as "customerUid",
  r.uid,
  r.point_value as points,
  r.expires_at as at
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join reservation r on r.bucket = w.bucket and r.customer_uid = w.customer_uid
where r.state = 'held'
  and r.expires_at <= $3${more}
order by r.expires_at, r.uid`;

const READ_ENDED = readEnded();
const READ_ENDED_OF_SHARD = readEnded("\n  and r.bucket = any($1)");

/** Returns holds of locked balances that are over by `now` and not released, by customer uid, soonest first. Skips the query if no row needs it. */
export async function readEndedHolds(
  tx: Tx,
  balances: readonly CustomerLedger[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, readonly HoldEnd[]>> {
  const over = balances.filter(({ heldUntil }) => heldUntil !== null && Temporal.Instant.compare(heldUntil, now) <= 0);
  if (over.length === 0) return new Map();
  // A Citus asks one shard for one customer; for several, the buckets would lead its workers to read whole shards.
  const text = tx.shards !== null && over.length === 1 ? READ_ENDED_OF_SHARD : READ_ENDED;
  const rows = await tx.query<Omit<HoldEnd, "captured"> & { customerUid: string }>(text, [
    over.map(({ bucket }) => bucket),
    over.map(({ customerUid }) => customerUid),
    now,
  ]);
  return Map.groupBy(
    rows.map((row) => ({ ...row, captured: 0n })),
    ({ customerUid }) => customerUid,
  );
}

const END_HOLDS = `update reservation r
set state = case when u.captured > 0 then 'captured' else 'released' end,
  captured_points = u.captured,
  captured_version = u.version,
  ended_at = u.ended_at
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[])
  as u (bucket, customer_uid, uid, captured, version, ended_at)
where r.bucket = u.bucket
  and r.customer_uid = u.customer_uid
  and r.uid = u.uid
  and r.state = 'held'`;

const setHeld = (bucket: string) => `update balance b
set held_points = u.held_points,
  held_until = coalesce((
    select min(r.expires_at)
    from reservation r
    where r.bucket = ${bucket}
      and r.customer_uid = b.customer_uid
      and r.state = 'held'), 'infinity')
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as u (bucket, customer_uid, held_points)
where b.bucket = u.bucket
  and b.customer_uid = u.customer_uid`;

const SET_HELD = setHeld("b.bucket");

const END_HOLDS_OF_SHARD = `${END_HOLDS}
  and r.bucket = any($1)`;
// Without the buckets also in the subquery, Citus updates all shards: every other such change waits, and one worker that is away fails it.
const SET_HELD_OF_SHARD = `${setHeld("b.bucket and r.bucket = any($1)")}
  and b.bucket = any($1)`;

/** Writes ended holds, and what their balances still hold. Send it before the points, which must never fall below the held points. */
export async function writeHoldEnds(tx: Tx, changes: readonly CustomerChange[]): Promise<void> {
  const changed = changes.filter(({ holdEnds }) => holdEnds.length > 0);
  if (changed.length === 0) return;
  for (const part of byShard(tx, changed, ({ after }) => after.bucket)) await writeHoldEndsOf(tx, part);
}

async function writeHoldEndsOf(tx: Tx, changed: readonly CustomerChange[]): Promise<void> {
  const ends = changed.flatMap(({ after, allotments, holdEnds }) =>
    holdEnds.map((end) => ({
      ...end,
      owner: after,
      version: allotments.find(({ posting }) => posting.sourceKey === captureKey(end.uid))?.version ?? null,
    })),
  );
  const ended = await tx.execute(tx.shards === null ? END_HOLDS : END_HOLDS_OF_SHARD, [
    ends.map(({ owner }) => owner.bucket),
    ends.map(({ owner }) => owner.customerUid),
    ends.map(({ uid }) => uid),
    ends.map(({ captured }) => captured),
    ends.map(({ version }) => version),
    ends.map(({ at }) => at),
  ]);
  if (ended !== ends.length) throw new Error(`${ended} holds ended, not ${ends.length}`);
  await tx.execute(tx.shards === null ? SET_HELD : SET_HELD_OF_SHARD, [
    changed.map(({ after }) => after.bucket),
    changed.map(({ after }) => after.customerUid),
    changed.map(({ after }) => after.heldPoints),
  ]);
}
