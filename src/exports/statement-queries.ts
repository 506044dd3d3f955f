import { type BinaryRow, isNull, readFieldText, readNumber } from "../db/binary-row.ts";
import type { ReadDb } from "../db/pool.ts";
import { CHANGE_COLUMNS, CHANGE_PLACE, type ChangeColumn } from "../ledger/change-columns.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Changes } from "./statement.ts";
import { LINE_COLUMNS, type StatementPeriod, selectFromStart, selectPeriod } from "./statement-sql.ts";

/** A customer's line as the database returns it: the balance at one moment, and the changes of the period. */
export interface StatementSource extends CustomerRef, Readonly<Record<ChangeColumn, bigint>> {
  readonly storefrontId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly tierUid: string | null;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  /** According to the balance's row: the ledger less held points. */
  readonly availablePoints: bigint;
  /** Times in microseconds since 1970. */
  readonly heldUntil: number | null;
  /** The start from which the next expiry without an own date counts: the oldest such lot, or the last activity if dates slide. */
  readonly countsFrom: number | null;
  readonly soonestExpiresAt: number | null;
}

/**
 * Rows for which more must be read are completed in large pieces, because each piece takes statements of its own. Other rows are passed on in
 * small ones: rows that are alive when garbage is collected are copied, which cost more than making their lines.
 */
const PIECE_ROWS = { open: 1_000, complete: 100 };
const UUID_BYTES = 16;

/** A line, and what must still be read from its customer's allotments before it is right. */
interface StatementRow extends StatementSource {
  /** The version before which the opening balance was; null: the customer's first one. */
  readonly firstVersion: bigint | null;
  /** The version after which the closing balance was, or a later one if sums are missing; null: the customer's last one, and the sums are there. */
  readonly lastVersion: bigint | null;
  /** Whether the row has its sums. If not, they are read from the customer's allotments. */
  readonly isExact: boolean;
}

const FIELD = Object.fromEntries(LINE_COLUMNS.map((name, i) => [name, i])) as Readonly<
  Record<(typeof LINE_COLUMNS)[number], number>
>; // cast: the names of the list

/** The start of COPY's times, in microseconds since 1970. */
const EPOCH_US = 946_684_800_000_000;

function readRow(row: BinaryRow): StatementRow {
  const { bytes, starts } = row;
  return {
    bucket: bytes.readInt32BE(starts[FIELD.bucket] ?? 0),
    customerUid: readUuid(row, FIELD.customer_uid) ?? "",
    storefrontId: readFieldText(row, FIELD.storefront_id) ?? "",
    email: readFieldText(row, FIELD.email),
    name: readFieldText(row, FIELD.name),
    tierUid: readUuid(row, FIELD.tier_uid),
    openingBalance: 0n,
    closingBalance: readWhole(row, FIELD.ledger_points) ?? 0n,
    points_earned: readWhole(row, FIELD.points_earned) ?? 0n,
    points_adjusted: readWhole(row, FIELD.points_adjusted) ?? 0n,
    points_spent: readWhole(row, FIELD.points_spent) ?? 0n,
    points_returned: readWhole(row, FIELD.points_returned) ?? 0n,
    points_refunded: readWhole(row, FIELD.points_refunded) ?? 0n,
    points_expired: readWhole(row, FIELD.points_expired) ?? 0n,
    availablePoints: readWhole(row, FIELD.available_points) ?? 0n,
    heldUntil: readTime(row, FIELD.held_until),
    countsFrom: readTime(row, FIELD.counts_from),
    soonestExpiresAt: readTime(row, FIELD.soonest_expires_at),
    firstVersion: readWhole(row, FIELD.first_version),
    lastVersion: readWhole(row, FIELD.last_version),
    isExact: !isNull(row, FIELD.points_earned),
  };
}

function readUuid(row: BinaryRow, field: number): string | null {
  if (isNull(row, field)) return null;
  const start = row.starts[field] ?? 0;
  const hex = row.bytes.toString("hex", start, start + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function readWhole(row: BinaryRow, field: number): bigint | null {
  return isNull(row, field) ? null : row.bytes.readBigInt64BE(row.starts[field]);
}

/** Reads a time. Infinity, which means "none" in the database, becomes null. */
function readTime(row: BinaryRow, field: number): number | null {
  const since2000 = isNull(row, field) ? Number.NaN : readNumber(row, field);
  return Math.abs(since2000) < Number.MAX_SAFE_INTEGER ? since2000 + EPOCH_US : null;
}

const EDGES = `select a.customer_uid || '/' || a.version as key,
  a.balance_after - a.point_value as before,
  a.balance_after as after
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as w (bucket, customer_uid, version)
join allotment a on a.bucket = w.bucket and a.customer_uid = w.customer_uid and a.version = w.version`;

/** The balance before and after an allotment. */
interface Edge {
  readonly before: bigint;
  readonly after: bigint;
}

// As text: the sums of one customer may exceed a bigint, which must not make everybody's line fail.
const EXACT_SUMS = `select u.customer_uid as "customerUid",
  max(a.version) as "lastVersion",
  ${CHANGE_COLUMNS.map((column, place) => `coalesce(sum(a.point_value) filter (where ${CHANGE_PLACE} = ${place}), 0)::text as ${column}`).join(",\n  ")}
from unnest($3::smallint[], $4::uuid[], $5::bigint[]) as u (bucket, customer_uid, last_version)
join allotment a on a.bucket = u.bucket and a.customer_uid = u.customer_uid
where a.allotted_at >= $1
  and a.allotted_at < $2
  and a.version <= u.last_version
  and a.point_value <> 0
group by u.customer_uid`;

/** The sums of a customer that were read from the allotments, and the last version in the period. */
interface ReadSums extends Changes {
  readonly lastVersion: bigint;
}

/**
 * Additional data that rows need, by customer and version: their first and last allotments if the balances of these are not known without
 * them, and sums that the rows do not have. Allotments never change, so they may be read at a later moment than the rows.
 */
interface More {
  readonly edges: ReadonlyMap<string, Edge>;
  readonly exactSums: ReadonlyMap<string, ReadSums>;
}

async function readMore(db: ReadDb, rows: readonly StatementRow[], { startAt, endAt }: StatementPeriod): Promise<More> {
  const [edges, exactSums] = [new Map<string, Edge>(), new Map<string, ReadSums>()];
  const without = rows.flatMap(({ bucket, customerUid, isExact, lastVersion }) =>
    !isExact && lastVersion !== null ? [{ bucket, customerUid, version: lastVersion }] : [],
  );
  if (without.length > 0) {
    type Row = { customerUid: string; lastVersion: bigint } & Record<ChangeColumn, string>;
    const found = await db.query<Row>(EXACT_SUMS, [startAt, endAt, ...keysOf(without)]);
    for (const { customerUid, lastVersion, ...sums } of found)
      exactSums.set(customerUid, { ...exactChanges(sums), lastVersion });
  }
  const requested = rows.flatMap(({ bucket, customerUid, firstVersion, lastVersion }) =>
    [firstVersion, exactSums.get(customerUid)?.lastVersion ?? lastVersion].flatMap((version) =>
      version === null ? [] : [{ bucket, customerUid, version }],
    ),
  );
  if (requested.length > 0) {
    for (const edge of await db.query<Edge & { key: string }>(EDGES, keysOf(requested))) edges.set(edge.key, edge);
  }
  return { edges, exactSums };
}

function exactChanges(sums: Readonly<Record<ChangeColumn, string>>): Changes {
  return {
    points_earned: BigInt(sums.points_earned),
    points_adjusted: BigInt(sums.points_adjusted),
    points_spent: BigInt(sums.points_spent),
    points_returned: BigInt(sums.points_returned),
    points_refunded: BigInt(sums.points_refunded),
    points_expired: BigInt(sums.points_expired),
  };
}

interface VersionOf extends CustomerRef {
  readonly version: bigint;
}

function keysOf(versions: readonly VersionOf[]): [number[], string[], bigint[]] {
  return [
    versions.map(({ bucket }) => bucket),
    versions.map(({ customerUid }) => customerUid),
    versions.map(({ version }) => version),
  ];
}

function edgeOf({ edges }: More, customerUid: string, version: bigint): Edge {
  const found = edges.get(`${customerUid}/${version}`);
  if (found === undefined) throw new Error(`version ${version} of customer ${customerUid} is gone`);
  return found;
}

function isComplete({ firstVersion, lastVersion }: StatementRow): boolean {
  return firstVersion === null && lastVersion === null;
}

/**
 * The opening balance is the one before the period's first allotment, the closing balance the one after its last. Null: no points changed in the
 * period.
 */
function completed(row: StatementRow, more: More): StatementSource | null {
  const { customerUid, firstVersion, isExact } = row;
  const sums = isExact ? null : more.exactSums.get(customerUid);
  if (sums === undefined) return null;
  const lastVersion = sums?.lastVersion ?? row.lastVersion;
  return {
    ...row,
    ...sums,
    openingBalance: firstVersion === null ? row.openingBalance : edgeOf(more, customerUid, firstVersion).before,
    closingBalance: lastVersion === null ? row.closingBalance : edgeOf(more, customerUid, lastVersion).after,
  };
}

// How far the worker's sums of customers reach, and whether the period has all of them: few allotments are after it, and none before it.
const SUMMED = `select s.summed_at as "summedAt"
from figure_standing s`;
const EARLIER = `select a.uid
from allotment a
where a.allotted_at < $1
order by a.allotted_at
limit 1`;
const LATER_MAX = 10_000;
const LATER = `select a.uid
from allotment a
where a.allotted_at >= $1
order by a.allotted_at
limit ${LATER_MAX}`;

/** Returns the statement of a period that reads least. */
async function chooseStatement(db: ReadDb, period: StatementPeriod, isSliding: boolean): Promise<string> {
  const { startAt, endAt } = period;
  const [standing] = await db.query<{ summedAt: Temporal.Instant | null }>(SUMMED);
  const summedAt = standing?.summedAt ?? null;
  // an allotment that is committed later is after the settled mark, and so after the start
  if (summedAt === null || Temporal.Instant.compare(startAt, summedAt) > 0) return selectPeriod(period, isSliding);
  const [earlier, later] = await Promise.all([db.query(EARLIER, [startAt]), db.query(LATER, [endAt])]);
  return earlier.length === 0 && later.length < LATER_MAX
    ? selectFromStart(endAt, summedAt, isSliding)
    : selectPeriod(period, isSliding);
}

/** Streams the lines of a period, all from one snapshot, by storefront id. `isSliding`: whether dates of expiry slide. */
export async function* streamStatement(
  db: ReadDb,
  period: StatementPeriod,
  { isSliding }: { readonly isSliding: boolean },
): AsyncIterable<StatementSource[]> {
  let rows: StatementRow[] = [];
  const statement = {
    text: await chooseStatement(db, period, isSliding),
    fields: LINE_COLUMNS.length,
    onRow: (row: BinaryRow) => void rows.push(readRow(row)),
  };
  for await (const _ of db.copy(statement)) {
    if (rows.length < (rows.every(isComplete) ? PIECE_ROWS.complete : PIECE_ROWS.open)) continue;
    const piece = rows;
    rows = [];
    yield await withMore(db, piece, period);
  }
  if (rows.length > 0) yield await withMore(db, rows, period);
}

async function withMore(
  db: ReadDb,
  rows: readonly StatementRow[],
  period: StatementPeriod,
): Promise<StatementSource[]> {
  const open = rows.filter((row) => !isComplete(row));
  if (open.length === 0) return [...rows];
  const more = await readMore(db, open, period);
  return rows.flatMap((row) => (isComplete(row) ? [row] : (completed(row, more) ?? [])));
}
