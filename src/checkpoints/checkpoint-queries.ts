import type { Queryable, ReadDb } from "../db/pool.ts";
import { FACTS_SQL } from "../ledger/chain/chain.ts";

export type LogName = "allotments" | "audit";

/** The position of a leaf in its log: an allotment's time and uid, or an entry's id. */
export interface LeafPlace {
  readonly at: Temporal.Instant | null;
  readonly uid: string | null;
  readonly id: bigint | null;
}

/** A leaf's text and its position. */
export interface Leaf extends LeafPlace {
  readonly text: string;
}

/** A log whose leaves are read in order. */
export interface LeafLog {
  readonly name: LogName;
  /** Its number in `tree_node`. */
  readonly number: number;
  /** A query that takes the position of the last leaf to skip (three parameters, null: from the start) and returns all later `Leaf`s. */
  readonly leaves: string;
}

const PIECE_ROWS = 2_000;

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const ALLOTMENTS: LeafLog = {
  name: "allotments",
  number: 1,
  leaves: `select a.allotted_at as at,
  a.uid,
  null::bigint as id,
  ${FACTS_SQL} as text
from allotment a
where a.allotted_at >= coalesce($1::timestamptz, '-infinity')
  and ($1::timestamptz is null or (a.allotted_at, a.uid) > ($1::timestamptz, $2::uuid))
  and $3::bigint is null
order by a.allotted_at, a.uid`,
};

const AUDIT: LeafLog = {
  name: "audit",
  number: 2,
  leaves: `select null::timestamptz as at,
  null::uuid as uid,
  e.id,
  json_build_array('audit', e.id, ${iso("e.at")}, ${iso("e.recorded_at")}, e.actor_kind, e.actor_id, e.actor_name, e.address, e.action,
    e.subject_kind, e.subject_id, e.before, e.after)::text as text
from audit_entry e
where e.id > coalesce($3::bigint, 0)
  and $1::timestamptz is null
  and $2::uuid is null
order by e.id`,
};

export const LOGS: Readonly<Record<LogName, LeafLog>> = { allotments: ALLOTMENTS, audit: AUDIT };

/** Returns the parameters of `leaves` for what comes after a position. */
function after(place: LeafPlace | null): [Temporal.Instant | null, string | null, bigint | null] {
  return place === null ? [null, null, null] : [place.at, place.uid, place.id];
}

const LEAVES_UP_TO: Readonly<Record<LogName, string>> = {
  allotments: `select *\nfrom (${ALLOTMENTS.leaves}) l\nwhere l.at <= $4::timestamptz\norder by l.at, l.uid\nlimit $5::bigint`,
  audit: `select *\nfrom (${AUDIT.leaves}) l\nwhere l.id <= $4::bigint\norder by l.id\nlimit $5::bigint`,
};

/** Reads at most `max` leaves after a position, up to what is settled. */
export function selectLeaves(
  queryable: Queryable,
  log: LeafLog,
  options: { readonly from: LeafPlace | null; readonly settled: Temporal.Instant | bigint; readonly max: number },
): Promise<Leaf[]> {
  return queryable.query<Leaf>(LEAVES_UP_TO[log.name], [...after(options.from), options.settled, options.max]);
}

/** Reads the same leaves as a stream, however many they are. */
export function streamLeaves(
  db: ReadDb,
  log: LeafLog,
  { from, settled }: { readonly from: LeafPlace | null; readonly settled: Temporal.Instant | bigint },
): AsyncIterable<Leaf[]> {
  return db.stream<Leaf>(LEAVES_UP_TO[log.name], [...after(from), settled, null], {
    pieceRows: PIECE_ROWS,
  });
}

/** Whether a position is after another one of the same log. */
export function isBehind(a: LeafPlace, b: LeafPlace): boolean {
  if (a.id !== null && b.id !== null) return a.id > b.id;
  if (a.at === null || b.at === null) return false;
  const order = Temporal.Instant.compare(a.at, b.at);
  return order === 0 ? (a.uid ?? "") > (b.uid ?? "") : order > 0;
}

/** A stored full subtree; one of the lowest height also has the position of its last leaf. */
export interface TreeNode {
  readonly height: number;
  readonly n: bigint;
  readonly hash: Buffer;
  readonly last: LeafPlace | null;
}

interface NodeRow extends LeafPlace {
  readonly height: number;
  readonly n: bigint;
  readonly hash: Buffer;
}

const NODES = `select height, n, hash, last_at as at, last_uid as uid, last_id as id
from tree_node
where log = $1
  and height = $2
  and n >= $3
  and n < $4
order by n`;

/** Reads the stored subtrees of a height, from one number up to (not including) another. */
export async function selectNodes(
  queryable: Queryable,
  log: LeafLog,
  { height, from, to }: { readonly height: number; readonly from: bigint; readonly to: bigint },
): Promise<TreeNode[]> {
  const rows = await queryable.query<NodeRow>(NODES, [log.number, height, from, to]);
  return rows.map(({ height: ofHeight, n, hash, ...last }) => ({ height: ofHeight, n, hash, last }));
}

const INSERT_NODES = `insert into tree_node (log, height, n, hash, last_at, last_uid, last_id)
select $1::smallint, * from unnest($2::smallint[], $3::bigint[], $4::bytea[], $5::timestamptz[], $6::uuid[], $7::bigint[])`;

export async function insertNodes(queryable: Queryable, log: LeafLog, nodes: readonly TreeNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await queryable.execute(INSERT_NODES, [
    log.number,
    nodes.map(({ height }) => height),
    nodes.map(({ n }) => n),
    nodes.map(({ hash }) => hash),
    nodes.map(({ last }) => last?.at ?? null),
    nodes.map(({ last }) => last?.uid ?? null),
    nodes.map(({ last }) => last?.id ?? null),
  ]);
}

/** Returns the number of the first stored tile whose last allotment is at or after a position; undefined: there is none. */
export async function findTile(queryable: Queryable, at: Temporal.Instant, uid: string): Promise<bigint | undefined> {
  const [row] = await queryable.query<{ n: bigint }>(
    `select n
from tree_node
where log = 1
  and height = 8
  and (last_at, last_uid) >= ($1::timestamptz, $2::uuid)
order by last_at, last_uid
limit 1`,
    [at, uid],
  );
  return row?.n;
}

/** A checkpoint's row, with the public key of its signer. */
export interface CheckpointRow {
  readonly n: bigint;
  readonly keyUid: string;
  readonly note: string;
  /** null: its key is unknown. */
  readonly publicKey: Buffer | null;
}

const SELECT_CHECKPOINTS = `select c.n,
  c.key_uid as "keyUid",
  c.note,
  k.public_key as "publicKey"
from checkpoint c
left join ledger_key k on k.uid = c.key_uid`;

/** Returns the newest checkpoint; undefined: there is none yet. */
export async function selectNewestCheckpoint(queryable: Queryable): Promise<CheckpointRow | undefined> {
  const [row] = await queryable.query<CheckpointRow>(`${SELECT_CHECKPOINTS}\norder by c.n desc\nlimit 1`);
  return row;
}

const INSERT_CHECKPOINT = `insert into checkpoint (n, key_uid, allotments, entries, note, created_at)
values ($1, $2, $3, $4, $5, $6)`;

export async function insertCheckpoint(
  queryable: Queryable,
  row: {
    readonly n: bigint;
    readonly keyUid: string;
    readonly allotments: bigint;
    readonly entries: bigint;
    readonly note: string;
    readonly at: Temporal.Instant;
  },
): Promise<void> {
  await queryable.execute(INSERT_CHECKPOINT, [row.n, row.keyUid, row.allotments, row.entries, row.note, row.at]);
}

const PRUNE = `delete from checkpoint c
where c.created_at < $1::timestamptz - interval '1 day'
  and exists (
    select
    from checkpoint l
    where l.n > c.n
      and date_trunc('hour', l.created_at, 'UTC') = date_trunc('hour', c.created_at, 'UTC')
    limit 1)`;

/** Removes the checkpoints of past days, except the last one of each hour. */
export async function pruneCheckpoints(queryable: Queryable, now: Temporal.Instant): Promise<void> {
  await queryable.execute(PRUNE, [now]);
}

// One run records the highest id. By the next run, every transaction that took a lower id has a lower transaction number than the recorded one. The
// id is settled when all those transactions have ended.
const SETTLE_AUDIT = `update checkpoint_mark
set settled_id = case when floor_xid is not null and pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid then floor_id else settled_id end,
  floor_id = case when floor_xid is null or pg_snapshot_xmin(pg_current_snapshot()) >= floor_xid then seen_id else floor_id end,
  floor_xid = case
    when floor_xid is not null and pg_snapshot_xmin(pg_current_snapshot()) < floor_xid then floor_xid
    else pg_current_xact_id()
  end,
  seen_id = greatest(seen_id, (select coalesce(max(id), 0) from audit_entry))
where settled_id < greatest(seen_id, (select coalesce(max(id), 0) from audit_entry))
returning settled_id as "settledId"`;

/** Moves the mark of the audit log as far as possible and returns it: no entry with this id or a lower one can still appear. */
export async function advanceAuditMark(queryable: Queryable): Promise<bigint> {
  const [moved] = await queryable.query<{ settledId: bigint }>(SETTLE_AUDIT);
  if (moved !== undefined) return moved.settledId;
  const [row] = await queryable.query<{ settledId: bigint }>('select settled_id as "settledId" from checkpoint_mark');
  return row?.settledId ?? 0n;
}
