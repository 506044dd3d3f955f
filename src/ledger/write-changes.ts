import type { Param, Tx } from "../db/pool.ts";
import type { CustomerChange } from "./posting.ts";

/** One table's share of a batch: a statement over arrays, one per column, and how many rows it must write. */
interface BatchStatement {
  readonly text: string;
  readonly columns: readonly (readonly Param[])[];
  readonly rows: number;
}

/** Writes what was decided, with a fixed number of statements for any count of customers. Asserts every row count. */
export async function writeChanges(tx: Tx, changes: readonly CustomerChange[], programVersion: number): Promise<void> {
  const written = changes.filter((change) => change.allotments.length > 0 || change.isRedated);
  const statements = [
    updateBalances(changes.filter(changesBalance)),
    insertAllotments(written, programVersion),
    insertNotes(written),
    insertDraws(written),
    deleteLots(written),
    updateLots(written),
    insertLots(written),
  ].filter((statement) => statement.rows > 0);
  const counts = await Promise.all(statements.map(({ text, columns }) => tx.execute(text, columns)));
  for (const [i, { text, rows }] of statements.entries()) {
    if (counts[i] !== rows) throw new Error(`a ledger statement wrote ${counts[i]} rows, not ${rows}: ${text}`);
  }
}

/** A deduction of an empty balance writes no allotment, but the debt it may leave (the setting `owe`) stands on the balance. */
function changesBalance({ allotments, isRedated, outcomes }: CustomerChange): boolean {
  return allotments.length > 0 || isRedated || outcomes.some(({ kind }) => kind === "nothing");
}

/** Turns rows into columns: `pick` answers a row's values in the columns' order. */
function statement<Row>(text: string, rows: readonly Row[], pick: (row: Row) => readonly Param[]): BatchStatement {
  const columns: Param[][] = [];
  for (const row of rows) {
    const values = pick(row);
    for (let i = 0; i < values.length; i++) {
      let column = columns[i];
      if (column === undefined) {
        column = [];
        columns[i] = column;
      }
      column.push(values[i] ?? null);
    }
  }
  return { text, columns, rows: rows.length };
}

const UPDATE_BALANCES = `update balance b
set ledger_points = u.ledger_points,
  owed_points = u.owed_points,
  version = u.version,
  last_allotted_at = u.last_allotted_at,
  active_at = u.active_at,
  expiry_from_on = case when u.oldest_since is not null then (greatest(u.active_at, u.oldest_since) at time zone 'UTC')::date end,
  oldest_since = u.oldest_since,
  soonest_expires_at = coalesce(u.soonest_expires_at, 'infinity'),
  earned_at = u.earned_at
from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[], $7::timestamptz[],
  $8::timestamptz[], $9::timestamptz[], $10::timestamptz[])
  as u (bucket, customer_uid, ledger_points, owed_points, version, last_allotted_at, active_at, oldest_since,
    soonest_expires_at, earned_at)
where b.bucket = u.bucket and b.customer_uid = u.customer_uid`;

function updateBalances(changes: readonly CustomerChange[]): BatchStatement {
  return statement(UPDATE_BALANCES, changes, ({ after: a }) => [
    a.bucket,
    a.customerUid,
    a.ledgerPoints,
    a.owedPoints,
    a.version,
    a.lastAllottedAt,
    a.activeAt,
    a.oldestSince,
    a.soonestExpiresAt,
    a.earnedAt,
  ]);
}

const INSERT_ALLOTMENTS = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after,
  source_key, object, parent, action, app_reference, cascade, origin, reason_type, extends, program_version)
select *
from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::uuid[], $5::timestamptz[], $6::text[], $7::bigint[], $8::bigint[],
  $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::text[], $16::text[], $17::boolean[],
  $18::integer[])`;

function insertAllotments(changes: readonly CustomerChange[], programVersion: number): BatchStatement {
  const rows = changes.flatMap((change) =>
    change.allotments.map((allotment) => ({ ...allotment, owner: change.after })),
  );
  return statement(INSERT_ALLOTMENTS, rows, ({ owner, posting, ...a }) => [
    owner.bucket,
    owner.customerUid,
    a.version,
    posting.uid,
    a.allottedAt,
    posting.type,
    a.pointValue,
    a.balanceAfter,
    posting.sourceKey,
    posting.object,
    posting.parent,
    posting.action,
    posting.appReference,
    posting.cascade,
    posting.origin,
    posting.reasonType,
    a.extends,
    programVersion,
  ]);
}

const INSERT_NOTES = `insert into allotment_note (bucket, customer_uid, version, note, actor)
select *
from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::text[], $5::text[])`;

function insertNotes(changes: readonly CustomerChange[]): BatchStatement {
  const rows = changes.flatMap((change) =>
    change.allotments.map((allotment) => ({ ...allotment, owner: change.after })),
  );
  const noted = rows.filter(({ posting }) => posting.note !== null || posting.actor !== null);
  return statement(INSERT_NOTES, noted, ({ owner, version, posting }) => [
    owner.bucket,
    owner.customerUid,
    version,
    posting.note,
    posting.actor,
  ]);
}

const INSERT_DRAWS = `insert into draw (bucket, customer_uid, by_version, n, lot_version, part, points, lot_expires_at, lot_since,
  lot_extends, lot_origin)
select bucket, customer_uid, by_version, n, lot_version, part, points, coalesce(lot_expires_at, 'infinity'), lot_since, lot_extends, lot_origin
from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::integer[], $5::bigint[], $6::integer[], $7::bigint[],
  $8::timestamptz[], $9::timestamptz[], $10::boolean[], $11::text[])
  as u (bucket, customer_uid, by_version, n, lot_version, part, points, lot_expires_at, lot_since, lot_extends, lot_origin)`;

function insertDraws(changes: readonly CustomerChange[]): BatchStatement {
  const rows = changes.flatMap((change) => change.draws.map((draw, n) => ({ ...draw, n, owner: change.after })));
  return statement(INSERT_DRAWS, rows, ({ owner, byVersion, n, lot, points }) => [
    owner.bucket,
    owner.customerUid,
    byVersion,
    n,
    lot.version,
    lot.part,
    points,
    lot.expiresAt,
    lot.since,
    lot.extends,
    lot.origin,
  ]);
}

const LOT_KEY = `unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::integer[]`;
const SAME_LOT = `l.bucket = u.bucket
  and l.customer_uid = u.customer_uid
  and l.expires_at = coalesce(u.expires_at, 'infinity')
  and l.since = u.since
  and l.version = u.version
  and l.part = u.part`;

const DELETE_LOTS = `delete from lot l
using ${LOT_KEY}) as u (bucket, customer_uid, expires_at, since, version, part)
where ${SAME_LOT}`;

const UPDATE_LOTS = `update lot l
set remaining = u.remaining
from ${LOT_KEY}, $7::bigint[]) as u (bucket, customer_uid, expires_at, since, version, part, remaining)
where ${SAME_LOT}`;

const INSERT_LOTS = `insert into lot (bucket, customer_uid, expires_at, since, version, part, remaining, extends, origin)
select bucket, customer_uid, coalesce(expires_at, 'infinity'), since, version, part, remaining, extends, origin
from ${LOT_KEY}, $7::bigint[], $8::boolean[], $9::text[])
  as u (bucket, customer_uid, expires_at, since, version, part, remaining, extends, origin)`;

type LotOf = CustomerChange["lotsOpened"][number] & { owner: CustomerChange["after"] };

function lotsOf(changes: readonly CustomerChange[], kind: "lotsOpened" | "lotsChanged" | "lotsUsedUp"): LotOf[] {
  return changes.flatMap((change) => change[kind].map((lot) => ({ ...lot, owner: change.after })));
}

function lotKey({ owner, expiresAt, since, version, part }: LotOf): Param[] {
  return [owner.bucket, owner.customerUid, expiresAt, since, version, part];
}

function deleteLots(changes: readonly CustomerChange[]): BatchStatement {
  return statement(DELETE_LOTS, lotsOf(changes, "lotsUsedUp"), lotKey);
}

function updateLots(changes: readonly CustomerChange[]): BatchStatement {
  return statement(UPDATE_LOTS, lotsOf(changes, "lotsChanged"), (lot) => [...lotKey(lot), lot.remaining]);
}

function insertLots(changes: readonly CustomerChange[]): BatchStatement {
  return statement(INSERT_LOTS, lotsOf(changes, "lotsOpened"), (lot) => [
    ...lotKey(lot),
    lot.remaining,
    lot.extends,
    lot.origin,
  ]);
}
