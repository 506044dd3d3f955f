import { byShard } from "../db/citus/by-shard.ts";
import type { Param, Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import { expiryDay } from "./expiry.ts";
import type { Draw, Lot } from "./lots.ts";
import type { Allotment, CustomerChange, CustomerLedger } from "./posting.ts";

/** One table's share of a batch: a statement over arrays, one per column, and how many rows it must write. */
interface BatchStatement {
  readonly text: string;
  readonly columns: readonly (readonly Param[] | null)[];
  readonly rows: number;
}

/** A column's name and type, and its value of a row. */
type Column<Row> = readonly [name: `${string} ${string}`, pick: (row: Row) => Param];

/** What a change writes beside its balance, and whose it is. */
interface Owned {
  readonly owner: CustomerLedger;
}

/** Writes what was decided, with a fixed number of statements for any count of customers. Asserts every row count. */
export async function writeChanges(tx: Tx, changes: readonly CustomerChange[], programVersion: number): Promise<void> {
  const written = changes.filter((change) => change.allotments.length > 0 || change.isRedated);
  const allotments = allotmentsOf(written, programVersion);
  const noted = allotments.filter(({ allotment: { posting } }) => posting.note !== null || posting.actor !== null);
  const settled = allotments.filter(({ allotment: { settledDebt } }) => settledDebt !== undefined);
  const statements = [
    ...changesByShard(tx, UPDATE_BALANCES, changes.filter(changesBalance), BALANCE),
    statement(INSERT_SOURCES, tx.shards !== null ? allotments.filter(isCountedOnce) : [], SOURCE),
    statement(INSERT_ALLOTMENTS, allotments, ALLOTMENT),
    statement(INSERT_NOTES, noted, NOTE),
    statement(INSERT_SETTLED, settled, SETTLED),
    statement(INSERT_DRAWS, drawsOf(written), DRAW),
    ...changesByShard(tx, DELETE_LOTS, lotsOf(written, "lotsUsedUp"), LOT_KEY),
    ...changesByShard(tx, UPDATE_LOTS, lotsOf(written, "lotsChanged"), CHANGED_LOT),
    statement(INSERT_LOTS, lotsOf(written, "lotsOpened"), LOT),
  ].filter(({ rows }) => rows > 0);
  const counts = await Promise.all(statements.map(({ text, columns }) => tx.execute(text, columns)));
  for (const [i, { text, rows }] of statements.entries()) {
    if (counts[i] !== rows) throw new Error(`a ledger statement wrote ${counts[i]} rows, not ${rows}: ${text}`);
  }
}

/** A deduction of an empty balance writes no allotment, but the debt it may leave (the setting `owe`) stands on the balance. */
function changesBalance({ allotments, isRedated, outcomes }: CustomerChange): boolean {
  return allotments.length > 0 || isRedated || outcomes.some(({ kind }) => kind === "nothing");
}

/** Turns rows into columns. One of nulls only is sent as null, which `unnest` fills up; a key's never is. */
function statement<Row>(text: string, rows: readonly Row[], columns: readonly Column<Row>[]): BatchStatement {
  return { text, columns: columns.map(([, pick]) => columnOf(rows, pick)), rows: rows.length };
}

/** A statement over rows that are there, and what it ends with where they are those of one shard of a Citus. */
interface ChangingText {
  readonly text: string;
  readonly ofShard: string;
}

const changing = (text: string, alias: "b" | "l"): ChangingText => ({
  text,
  ofShard: `${text}\n  and ${alias}.bucket = any($1)`,
});

function changesByShard<Row extends Owned | CustomerChange>(
  tx: Tx,
  { text, ofShard }: ChangingText,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): BatchStatement[] {
  const bucketOf = (row: Owned | CustomerChange) => ("owner" in row ? row.owner : row.after).bucket;
  return byShard(tx, rows, bucketOf).map((part) => statement(tx.shards === null ? text : ofShard, part, columns));
}

function columnOf<Row>(rows: readonly Row[], pick: (row: Row) => Param): Param[] | null {
  const values = rows.map(pick);
  return values.every((value) => value === null) ? null : values;
}

/** The rows of a statement's parameters. */
function rowsOf<Row>(columns: readonly Column<Row>[]): string {
  return unnested(columns.map(([name]) => name));
}

const BALANCE: readonly Column<CustomerChange>[] = [
  ["bucket smallint", ({ after }) => after.bucket],
  ["customer_uid uuid", ({ after }) => after.customerUid],
  ["ledger_points bigint", ({ after }) => after.ledgerPoints],
  ["owed_points bigint", ({ after }) => after.owedPoints],
  ["version bigint", ({ after }) => after.version],
  ["last_allotted_at timestamptz", ({ after }) => after.lastAllottedAt],
  ["active_at timestamptz", ({ after }) => after.activeAt],
  ["oldest_since timestamptz", ({ after }) => after.oldestSince],
  ["soonest_expires_at timestamptz", ({ after }) => after.soonestExpiresAt],
  ["earned_at timestamptz", ({ after }) => after.earnedAt],
  ["has_expired boolean", ({ allotments }) => allotments.some(({ posting }) => posting.type === "expiration")],
];

const DAY = expiryDay("u.active_at", "u.oldest_since");

// The day may lag behind (decision 9): it moves back at once, forward only where points expired. An update that leaves it alone writes
// into no index.
const UPDATE_BALANCES = changing(
  `update balance b
set ledger_points = u.ledger_points,
  owed_points = u.owed_points,
  version = u.version,
  last_allotted_at = u.last_allotted_at,
  active_at = u.active_at,
  expiry_from_on = case
    when u.has_expired or b.expiry_from_on is null or b.expiry_from_on > ${DAY} then ${DAY}
    else b.expiry_from_on
  end,
  oldest_since = u.oldest_since,
  soonest_expires_at = coalesce(u.soonest_expires_at, 'infinity'),
  earned_at = u.earned_at
from (${rowsOf(BALANCE)}) u
where b.bucket = u.bucket and b.customer_uid = u.customer_uid`,
  "b",
);

interface OwnedAllotment extends Owned {
  readonly allotment: Allotment;
  readonly programVersion: number;
}

const ALLOTMENT_KEY: readonly Column<OwnedAllotment>[] = [
  ["bucket smallint", ({ owner }) => owner.bucket],
  ["customer_uid uuid", ({ owner }) => owner.customerUid],
  ["version bigint", ({ allotment }) => allotment.version],
];

const ALLOTMENT: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["uid uuid", ({ allotment }) => allotment.posting.uid],
  ["allotted_at timestamptz", ({ allotment }) => allotment.allottedAt],
  ["type text", ({ allotment }) => allotment.posting.type],
  ["point_value bigint", ({ allotment }) => allotment.pointValue],
  ["balance_after bigint", ({ allotment }) => allotment.balanceAfter],
  ["source_key text", ({ allotment }) => allotment.posting.sourceKey],
  ["object text", ({ allotment }) => allotment.posting.object],
  ["parent text", ({ allotment }) => allotment.posting.parent],
  ["action text", ({ allotment }) => allotment.posting.action],
  ["app_reference text", ({ allotment }) => allotment.posting.appReference],
  ["cascade boolean", ({ allotment }) => allotment.posting.cascade],
  ["origin text", ({ allotment }) => allotment.posting.origin],
  ["reason_type text", ({ allotment }) => allotment.posting.reasonType],
  ["extends boolean", ({ allotment }) => allotment.extends],
  ["program_version integer", ({ programVersion }) => programVersion],
];

const INSERT_ALLOTMENTS = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after,
  source_key, object, parent, action, app_reference, cascade, origin, reason_type, extends, program_version)
${rowsOf(ALLOTMENT)}`;

const SOURCE: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["uid uuid", ({ allotment }) => allotment.posting.uid],
  ["source_key text", ({ allotment }) => allotment.posting.sourceKey],
  ["point_value bigint", ({ allotment }) => allotment.pointValue],
];

// On a Citus alone, and before the allotments, so that a source that was counted meanwhile is refused as such: its primary key is the unique index of the store that no table of many nodes can have.
const INSERT_SOURCES = `insert into counted_source (bucket, customer_uid, version, uid, source_key, point_value)
${rowsOf(SOURCE)}`;

/** Whether another posting may have the same source: a key `api/<uid>` is made fresh for each. */
function isCountedOnce({ allotment: { posting } }: OwnedAllotment): boolean {
  return !posting.sourceKey.startsWith("api/");
}

const NOTE: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["note text", ({ allotment }) => allotment.posting.note],
  ["actor text", ({ allotment }) => allotment.posting.actor],
];

const INSERT_NOTES = `insert into allotment_note (bucket, customer_uid, version, note, actor)
${rowsOf(NOTE)}`;

const SETTLED: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["points bigint", ({ allotment }) => allotment.settledDebt ?? 0n],
];

const INSERT_SETTLED = `insert into settled_debt (bucket, customer_uid, version, points)
${rowsOf(SETTLED)}`;

function allotmentsOf(changes: readonly CustomerChange[], programVersion: number): OwnedAllotment[] {
  const rows: OwnedAllotment[] = [];
  for (const { after: owner, allotments } of changes)
    for (const allotment of allotments) rows.push({ owner, allotment, programVersion });
  return rows;
}

interface OwnedDraw extends Owned {
  readonly draw: Draw & { readonly byVersion: bigint };
  /** Its place among the draws of the change. */
  readonly n: number;
}

const DRAW: readonly Column<OwnedDraw>[] = [
  ["bucket smallint", ({ owner }) => owner.bucket],
  ["customer_uid uuid", ({ owner }) => owner.customerUid],
  ["by_version bigint", ({ draw }) => draw.byVersion],
  ["n integer", ({ n }) => n],
  ["lot_version bigint", ({ draw }) => draw.lot.version],
  ["part integer", ({ draw }) => draw.lot.part],
  ["points bigint", ({ draw }) => draw.points],
  ["lot_expires_at timestamptz", ({ draw }) => draw.lot.expiresAt],
  ["lot_since timestamptz", ({ draw }) => draw.lot.since],
  ["lot_extends boolean", ({ draw }) => draw.lot.extends],
  ["lot_origin text", ({ draw }) => draw.lot.origin],
];

const INSERT_DRAWS = `insert into draw (bucket, customer_uid, by_version, n, lot_version, part, points, lot_expires_at, lot_since,
  lot_extends, lot_origin)
select bucket, customer_uid, by_version, n, lot_version, part, points, coalesce(lot_expires_at, 'infinity'), lot_since, lot_extends, lot_origin
from (${rowsOf(DRAW)}) u`;

function drawsOf(changes: readonly CustomerChange[]): OwnedDraw[] {
  return changes.flatMap(({ after: owner, draws }) => draws.map((draw, n) => ({ owner, draw, n })));
}

interface OwnedLot extends Owned {
  readonly lot: Lot;
}

const LOT_KEY: readonly Column<OwnedLot>[] = [
  ["bucket smallint", ({ owner }) => owner.bucket],
  ["customer_uid uuid", ({ owner }) => owner.customerUid],
  ["expires_at timestamptz", ({ lot }) => lot.expiresAt],
  ["since timestamptz", ({ lot }) => lot.since],
  ["version bigint", ({ lot }) => lot.version],
  ["part integer", ({ lot }) => lot.part],
];

const CHANGED_LOT: readonly Column<OwnedLot>[] = [...LOT_KEY, ["remaining bigint", ({ lot }) => lot.remaining]];

const LOT: readonly Column<OwnedLot>[] = [
  ...CHANGED_LOT,
  ["extends boolean", ({ lot }) => lot.extends],
  ["origin text", ({ lot }) => lot.origin],
];

const SAME_LOT = `l.bucket = u.bucket
  and l.customer_uid = u.customer_uid
  and l.expires_at = coalesce(u.expires_at, 'infinity')
  and l.since = u.since
  and l.version = u.version
  and l.part = u.part`;

const DELETE_LOTS = changing(
  `delete from lot l
using (${rowsOf(LOT_KEY)}) u
where ${SAME_LOT}`,
  "l",
);

const UPDATE_LOTS = changing(
  `update lot l
set remaining = u.remaining
from (${rowsOf(CHANGED_LOT)}) u
where ${SAME_LOT}`,
  "l",
);

const INSERT_LOTS = `insert into lot (bucket, customer_uid, expires_at, since, version, part, remaining, extends, origin)
select bucket, customer_uid, coalesce(expires_at, 'infinity'), since, version, part, remaining, extends, origin
from (${rowsOf(LOT)}) u`;

function lotsOf(changes: readonly CustomerChange[], kind: "lotsOpened" | "lotsChanged" | "lotsUsedUp"): OwnedLot[] {
  const rows: OwnedLot[] = [];
  for (const change of changes) for (const lot of change[kind]) rows.push({ owner: change.after, lot });
  return rows;
}
