import { type BinaryRow, isNull, readFieldText, readNumber } from "../db/binary-row.ts";
import type { ReadDb } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { CHANGE_COLUMNS, type ChangeColumn, type Changes, MAPPING } from "./statement.ts";

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

/** Below this every sum of integers is exact in floating point, which takes far less time and memory than numeric. */
const EXACT_BELOW = 2 ** 53;

/** Most allotments of a store are of these types, the most frequent ones first: a type is compared with one name after the other. */
const FREQUENT: readonly AllotmentType[] = ["fulfillment", "api", "reward", "csv", "manual", "expiration"];

const placesOf = (credits: boolean) =>
  MAPPING.filter(({ isCredit }) => isCredit === credits)
    .toSorted((a, b) => rankOf(a.type) - rankOf(b.type))
    .map(({ type, column }) => `when '${type}' then ${CHANGE_COLUMNS.indexOf(column)}`)
    .join(" ");

function rankOf(type: AllotmentType): number {
  const place = FREQUENT.indexOf(type);
  return place === -1 ? FREQUENT.length : place;
}

// The number of each allotment's column, from the constant mapping: a join with it would take as long as all sums.
const PLACE = `case when a.point_value > 0 then case a.type ${placesOf(true)} end else case a.type ${placesOf(false)} end end`;

/** The columns of a line as COPY returns them, in this order. */
const COLUMNS = [
  "bucket",
  "customer_uid",
  "storefront_id",
  "email",
  "name",
  "tier_uid",
  "first_version",
  "last_version",
  "ledger_points",
  "available_points",
  "held_until",
  "counts_from",
  "soonest_expires_at",
  ...CHANGE_COLUMNS,
] as const;
const FIELD = Object.fromEntries(COLUMNS.map((name, i) => [name, i])) as Readonly<
  Record<(typeof COLUMNS)[number], number>
>; // cast: the names of the list

const literal = (at: Temporal.Instant) => `timestamptz '${at}'`;

// A customer's versions and times rise together, so the period is a range of versions.
const selectStatement = ({ startAt, endAt }: StatementPeriod, isSliding: boolean) => `with change as (
  select a.bucket,
    a.customer_uid,
    min(a.version) as first_version,
    max(a.version) as last_version,
    sum(abs(a.points)) as moved,
    ${CHANGE_COLUMNS.map((column, place) => `sum(a.points) filter (where a.place = ${place}) as ${column}`).join(",\n    ")}
  from (
    select a.bucket,
      a.customer_uid,
      a.version,
      a.point_value::double precision as points,
      ${PLACE} as place
    from allotment a
    where a.allotted_at >= ${literal(startAt)}
      and a.allotted_at < ${literal(endAt)}
      and a.point_value <> 0
    offset 0) a -- not merged into the query around it, which would compute the place again for each sum
  group by a.bucket, a.customer_uid)
select c.bucket::integer,
  c.customer_uid,
  c.storefront_id,
  c.email,
  c.name,
  t.tier_uid,
  nullif(s.first_version, 1), -- null: the customer's first one
  case when s.last_version < b.version or s.moved >= ${EXACT_BELOW} then s.last_version end, -- null: the last one, and the sums are exact
  b.ledger_points,
  b.ledger_points - b.held_points,
  b.held_until,
  ${isSliding ? "case when b.oldest_since is not null then greatest(b.active_at, b.oldest_since) end" : "b.oldest_since"},
  b.soonest_expires_at,
  ${CHANGE_COLUMNS.map((column) => `case when s.moved < ${EXACT_BELOW} then coalesce(s.${column}, 0)::bigint end`).join(",\n  ")}
from change s
join balance b on b.bucket = s.bucket and b.customer_uid = s.customer_uid
join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
left join customer_tier t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
order by c.storefront_id`;

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
  /** The version after which the closing balance was; null: the customer's last one, and the sums are exact. */
  readonly lastVersion: bigint | null;
  readonly isExact: boolean;
}

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
  ${CHANGE_COLUMNS.map((column, place) => `coalesce(sum(a.point_value) filter (where ${PLACE} = ${place}), 0)::text as ${column}`).join(",\n  ")}
from unnest($3::smallint[], $4::uuid[], $5::bigint[]) as u (bucket, customer_uid, last_version)
join allotment a on a.bucket = u.bucket and a.customer_uid = u.customer_uid
where a.allotted_at >= $1
  and a.allotted_at < $2
  and a.version <= u.last_version
group by u.customer_uid`;

/**
 * Additional data that rows need, by customer and version: their first and last allotments if the balances of these are not known without
 * them, and sums that are too large to be exact. Allotments never change, so they may be read at a later moment than the rows.
 */
interface More {
  readonly edges: ReadonlyMap<string, Edge>;
  readonly exactSums: ReadonlyMap<string, Changes>;
}

async function readMore(db: ReadDb, rows: readonly StatementRow[], { startAt, endAt }: StatementPeriod): Promise<More> {
  const [edges, exactSums] = [new Map<string, Edge>(), new Map<string, Changes>()];
  const requested = rows.flatMap(({ bucket, customerUid, firstVersion, lastVersion }) =>
    [firstVersion, lastVersion].flatMap((version) => (version === null ? [] : [{ bucket, customerUid, version }])),
  );
  if (requested.length > 0) {
    for (const edge of await db.query<Edge & { key: string }>(EDGES, keysOf(requested))) edges.set(edge.key, edge);
  }
  const large = rows.flatMap(({ bucket, customerUid, isExact, lastVersion }) =>
    !isExact && lastVersion !== null ? [{ bucket, customerUid, version: lastVersion }] : [],
  );
  if (large.length > 0) {
    const params = [startAt, endAt, ...keysOf(large)];
    const found = await db.query<{ customerUid: string } & Record<ChangeColumn, string>>(EXACT_SUMS, params);
    for (const { customerUid, ...sums } of found) exactSums.set(customerUid, exactChanges(sums));
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

/** The opening balance is the one before the period's first allotment, the closing balance the one after its last. */
function completed(row: StatementRow, more: More): StatementSource {
  const { customerUid, firstVersion, lastVersion, isExact } = row;
  const changes = isExact ? null : more.exactSums.get(customerUid);
  if (changes === undefined) throw new Error(`the allotments of customer ${customerUid} are gone`);
  return {
    ...row,
    ...changes,
    openingBalance: firstVersion === null ? row.openingBalance : edgeOf(more, customerUid, firstVersion).before,
    closingBalance: lastVersion === null ? row.closingBalance : edgeOf(more, customerUid, lastVersion).after,
  };
}

/** From its start, included, to its end, excluded. */
export interface StatementPeriod {
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
}

/** Streams the lines of a period, all from one snapshot, by storefront id. `isSliding`: whether dates of expiry slide. */
export async function* streamStatement(
  db: ReadDb,
  period: StatementPeriod,
  { isSliding }: { readonly isSliding: boolean },
): AsyncIterable<StatementSource[]> {
  let rows: StatementRow[] = [];
  const statement = {
    text: selectStatement(period, isSliding),
    fields: COLUMNS.length,
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
  return rows.map((row) => (isComplete(row) ? row : completed(row, more)));
}
