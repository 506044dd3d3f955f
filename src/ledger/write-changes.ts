import { byShard } from "../db/citus/by-shard.ts";
import type { Tx } from "../db/pool.ts";
import type { ChainedAllotment, ChainedChange } from "./chain/chain-changes.ts";
import { expiryDay } from "./expiry/expiry.ts";
import type { Draw, Lot } from "./lots/lots.ts";
import type { Allotment, CustomerChange, CustomerLedger } from "./posting.ts";
import {
  type Column,
  isLong,
  parameterRows,
  partOf,
  partsStatement,
  SLICE_ROWS,
  type TablePart,
} from "./table-part.ts";

/** A row that belongs to a change, with its customer. */
interface Owned {
  readonly owner: CustomerLedger;
}

/**
 * Writes decided changes, for any number of customers, in one statement with a part for each table. The statement fails if a part does not write
 * exactly its rows, because COMMIT may already have been sent. It is sent before this function returns, unless the changes are long.
 */
export async function writeChanges(tx: Tx, changes: readonly ChainedChange[], programVersion: number): Promise<void> {
  const written = changes.filter((change) => change.allotments.length > 0 || change.isRedated);
  const allotments = allotmentsOf(written, programVersion);
  const noted = allotments.filter(({ allotment: { posting } }) => posting.note !== null || posting.actor !== null);
  const settled = allotments.filter(({ allotment: { settledDebt } }) => settledDebt !== undefined);
  const parts = [
    ...changedParts(tx, { text: UPDATE_BALANCES, alias: "b" }, changes.filter(changesBalance), BALANCE),
    ...partOf(INSERT_SOURCES, tx.shards === null ? [] : allotments.filter(isCountedOnce), SOURCE),
    ...(allotments.some(isDated)
      ? partOf(INSERT_DATED_ALLOTMENTS, allotments, DATED_ALLOTMENT)
      : partOf(INSERT_ALLOTMENTS, allotments, ALLOTMENT)),
    ...partOf(INSERT_NOTES, noted, NOTE),
    ...partOf(INSERT_SETTLED, settled, SETTLED),
    ...partOf(INSERT_DRAWS, drawsOf(written), DRAW),
    ...changedParts(tx, { text: DELETE_LOTS, alias: "l" }, lotsOf(written, "lotsUsedUp"), LOT_KEY),
    ...changedParts(tx, { text: UPDATE_LOTS, alias: "l" }, lotsOf(written, "lotsChanged"), CHANGED_LOT),
    ...partOf(INSERT_LOTS, lotsOf(written, "lotsOpened"), LOT),
  ];
  if (parts.length === 0) return;
  if (isLong(changes)) return executeSlices(tx, parts);
  if (tx.shards !== null) return executeParts(tx, parts);
  await tx.execute(
    partsStatement(parts),
    parts.flatMap(({ columnsOf, rowCount }) => columnsOf(0, rowCount)),
  );
}

/** On Citus each part is its own statement, and the transaction waits for all of them before it commits. */
async function executeParts(tx: Tx, parts: readonly TablePart[]): Promise<void> {
  await Promise.all(parts.map((part) => executeSlice(tx, part, 0, part.rowCount)));
}

/** One statement after the other, so that none of them, nor the making of its arrays, takes long. */
async function executeSlices(tx: Tx, parts: readonly TablePart[]): Promise<void> {
  for (const part of parts) {
    for (let from = 0; from < part.rowCount; from += SLICE_ROWS)
      await executeSlice(tx, part, from, Math.min(part.rowCount, from + SLICE_ROWS));
  }
}

async function executeSlice(tx: Tx, { text, columnsOf }: TablePart, from: number, to: number): Promise<void> {
  const count = await tx.execute(text, columnsOf(from, to));
  if (count !== to - from) throw new Error(`a part of the ledger wrote ${count} of ${to - from} rows: ${text}`);
}

/** Returns the parts for existing rows: one for all rows, or on Citus one per shard. */
function changedParts<Row extends Owned | CustomerChange>(
  tx: Tx,
  { text, alias }: { readonly text: string; readonly alias: "b" | "l" },
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): TablePart[] {
  if (tx.shards === null) return partOf(text, rows, columns);
  const bucketOf = (row: Owned | CustomerChange) => ("owner" in row ? row.owner : row.after).bucket;
  const ofShard = `${text}\n  and ${alias}.bucket = any($1)`;
  return byShard(tx, rows, bucketOf).flatMap((part) => partOf(ofShard, part, columns));
}

/** Whether the balance changes. A deduction of an empty balance writes no allotment, but may leave a debt on the balance (the setting `owe`). */
function changesBalance({ allotments, isRedated, outcomes }: CustomerChange): boolean {
  return allotments.length > 0 || isRedated || outcomes.some(({ kind }) => kind === "nothing");
}

const BALANCE: readonly Column<ChainedChange>[] = [
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
  ["chained_version bigint", ({ chainedVersion }) => chainedVersion],
  ["chain_head bytea", ({ chainHead }) => chainHead],
  ["has_expired boolean", ({ allotments }) => allotments.some(({ posting }) => posting.type === "expiration")],
];

const DAY = expiryDay("u.active_at", "u.oldest_since");

// The day may lag (decision 9): it moves back at once, and forward only if points expired. An update that leaves it unchanged writes into no
// index.
const UPDATE_BALANCES = `update balance b
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
  earned_at = u.earned_at,
  chained_version = u.chained_version,
  chain_head = u.chain_head
from (${parameterRows(BALANCE)}) u
where b.bucket = u.bucket and b.customer_uid = u.customer_uid`;

interface OwnedAllotment extends Owned {
  readonly allotment: Allotment;
  readonly chained: ChainedAllotment;
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
  ["chain bigint", ({ chained }) => chained.link],
  ["note_digest bytea", ({ chained }) => chained.noteDigest],
];

const ALLOTMENT_COLUMNS = `bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after,
  source_key, object, parent, action, app_reference, cascade, origin, reason_type, extends, program_version, chain, note_digest`;

const INSERT_ALLOTMENTS = `insert into allotment (${ALLOTMENT_COLUMNS})
${parameterRows(ALLOTMENT)}`;

/** Few allotments have own dates: a batch without any writes no columns for them. */
const DATED_ALLOTMENT: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT,
  ["expires_at timestamptz", ({ allotment }) => allotment.posting.expiresAt],
  ["earned_at timestamptz", ({ allotment }) => allotment.posting.earnedAt ?? null],
];

const INSERT_DATED_ALLOTMENTS = `insert into allotment (${ALLOTMENT_COLUMNS}, expires_at, earned_at)
${parameterRows(DATED_ALLOTMENT)}`;

function isDated({ allotment: { posting } }: OwnedAllotment): boolean {
  return posting.expiresAt !== null || (posting.earnedAt ?? null) !== null;
}

const SOURCE: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["uid uuid", ({ allotment }) => allotment.posting.uid],
  ["source_key text", ({ allotment }) => allotment.posting.sourceKey],
  ["point_value bigint", ({ allotment }) => allotment.pointValue],
];

// Only on Citus, before the allotments, so that a source that was counted meanwhile is refused as a duplicate. Its primary key is the store-wide
// unique index that no distributed table can have.
const INSERT_SOURCES = `insert into counted_source (bucket, customer_uid, version, uid, source_key, point_value)
${parameterRows(SOURCE)}`;

/** Whether another posting may have the same source: a key `api/<uid>` is new for each posting. */
function isCountedOnce({ allotment: { posting } }: OwnedAllotment): boolean {
  return !posting.sourceKey.startsWith("api/");
}

const NOTE: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["note text", ({ allotment }) => allotment.posting.note],
  ["actor text", ({ allotment }) => allotment.posting.actor],
  ["salt bytea", ({ chained }) => chained.salt],
];

const INSERT_NOTES = `insert into allotment_note (bucket, customer_uid, version, note, actor, salt)
${parameterRows(NOTE)}`;

const SETTLED: readonly Column<OwnedAllotment>[] = [
  ...ALLOTMENT_KEY,
  ["points bigint", ({ allotment }) => allotment.settledDebt ?? 0n],
];

const INSERT_SETTLED = `insert into settled_debt (bucket, customer_uid, version, points)
${parameterRows(SETTLED)}`;

function allotmentsOf(changes: readonly ChainedChange[], programVersion: number): OwnedAllotment[] {
  const rows: OwnedAllotment[] = [];
  for (const { after: owner, chained } of changes)
    for (const each of chained) rows.push({ owner, allotment: each.allotment, chained: each, programVersion });
  return rows;
}

interface OwnedDraw extends Owned {
  readonly draw: Draw & { readonly byVersion: bigint };
  /** Its position among the draws of the change. */
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
from (${parameterRows(DRAW)}) u`;

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

const DELETE_LOTS = `delete from lot l
using (${parameterRows(LOT_KEY)}) u
where ${SAME_LOT}`;

const UPDATE_LOTS = `update lot l
set remaining = u.remaining
from (${parameterRows(CHANGED_LOT)}) u
where ${SAME_LOT}`;

const INSERT_LOTS = `insert into lot (bucket, customer_uid, expires_at, since, version, part, remaining, extends, origin)
select bucket, customer_uid, coalesce(expires_at, 'infinity'), since, version, part, remaining, extends, origin
from (${parameterRows(LOT)}) u`;

function lotsOf(changes: readonly CustomerChange[], kind: "lotsOpened" | "lotsChanged" | "lotsUsedUp"): OwnedLot[] {
  const rows: OwnedLot[] = [];
  for (const change of changes) for (const lot of change[kind]) rows.push({ owner: change.after, lot });
  return rows;
}
