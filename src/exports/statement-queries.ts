import type { ReadDb } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { CHANGE_COLUMNS, type ChangeColumn, MAPPING } from "./statement.ts";

/** A customer's line as the database gives it: one moment, and the changes of the period. */
export interface StatementSource extends CustomerRef {
  readonly storefrontId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly tierUid: string | null;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  readonly points_earned: bigint;
  readonly points_adjusted: bigint;
  readonly points_spent: bigint;
  readonly points_returned: bigint;
  readonly points_refunded: bigint;
  readonly points_expired: bigint;
  readonly ledgerPoints: bigint;
  readonly heldPoints: bigint;
  readonly heldUntil: Temporal.Instant | null;
  readonly activeAt: Temporal.Instant | null;
  readonly oldestSince: Temporal.Instant | null;
  readonly soonestExpiresAt: Temporal.Instant | null;
}

function sumOf(column: ChangeColumn): string {
  return `coalesce(sum(a.point_value) filter (where m.place = ${CHANGE_COLUMNS.indexOf(column)}), 0)::text as ${column}`;
}

// A customer's versions and times rise together, so the period is a range of versions.
const SELECT_STATEMENT = `with change as (
  select a.bucket,
    a.customer_uid,
    min(a.version) as first_version,
    max(a.version) as last_version,
    ${sumOf("points_earned")},
    ${sumOf("points_adjusted")},
    ${sumOf("points_spent")},
    ${sumOf("points_returned")},
    ${sumOf("points_refunded")},
    ${sumOf("points_expired")}
  from allotment a
  left join unnest($3::text[], $4::boolean[], $5::smallint[]) as m (type, is_credit, place)
    on m.type = a.type and m.is_credit = (a.point_value > 0)
  where a.allotted_at >= $1
    and a.allotted_at < $2
    and a.point_value <> 0
  group by a.bucket, a.customer_uid)
select c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.email,
  c.name,
  t.tier_uid as "tierUid",
  s.first_version as "firstVersion",
  s.last_version as "lastVersion",
  s.points_earned,
  s.points_adjusted,
  s.points_spent,
  s.points_returned,
  s.points_refunded,
  s.points_expired,
  b.version,
  b.ledger_points as "ledgerPoints",
  b.held_points as "heldPoints",
  b.held_until as "heldUntil",
  b.active_at as "activeAt",
  b.oldest_since as "oldestSince",
  b.soonest_expires_at as "soonestExpiresAt"
from change s
join balance b on b.bucket = s.bucket and b.customer_uid = s.customer_uid
join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
left join customer_tier t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
order by c.storefront_id`;

const PIECE_ROWS = 500;

/** Sums come as text: what went in and out of one customer may be more than a bigint holds, and is no reason to fail everybody's line. */
interface StatementRow
  extends Omit<StatementSource, ChangeColumn | "openingBalance" | "closingBalance">,
    Readonly<Record<ChangeColumn, string>> {
  /** Of the period. */
  readonly firstVersion: bigint;
  readonly lastVersion: bigint;
  /** The balance's own. */
  readonly version: bigint;
}

/** The balance before an allotment and after it. */
interface Edge {
  readonly before: bigint;
  readonly after: bigint;
}

const EDGES = `select a.customer_uid || '/' || a.version as key,
  a.balance_after - a.point_value as before,
  a.balance_after as after
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as w (bucket, customer_uid, version)
join allotment a on a.bucket = w.bucket and a.customer_uid = w.customer_uid and a.version = w.version`;

function edgeKey(customerUid: string, version: bigint): string {
  return `${customerUid}/${version}`;
}

/**
 * The first and last allotments of the rows, where their balances are not known without them. Allotments are never changed, so they may be
 * read at a later moment than the rows.
 */
async function readEdges(db: ReadDb, rows: readonly StatementRow[]): Promise<Map<string, Edge>> {
  const requested = rows.flatMap(({ bucket, customerUid, firstVersion, lastVersion, version }) => [
    ...(firstVersion > 1n ? [{ bucket, customerUid, version: firstVersion }] : []),
    ...(lastVersion < version ? [{ bucket, customerUid, version: lastVersion }] : []),
  ]);
  if (requested.length === 0) return new Map();
  const edges = await db.query<Edge & { key: string }>(EDGES, [
    requested.map(({ bucket }) => bucket),
    requested.map(({ customerUid }) => customerUid),
    requested.map(({ version }) => version),
  ]);
  return new Map(edges.map((edge) => [edge.key, edge]));
}

/** The opening balance is the one before the period's first allotment, the closing balance the one after its last. */
function toSource(row: StatementRow, edges: ReadonlyMap<string, Edge>): StatementSource {
  const edge = (version: bigint) => {
    const found = edges.get(edgeKey(row.customerUid, version));
    if (found === undefined) throw new Error(`version ${version} of customer ${row.customerUid} is gone`);
    return found;
  };
  return {
    ...row,
    openingBalance: row.firstVersion > 1n ? edge(row.firstVersion).before : 0n,
    closingBalance: row.lastVersion < row.version ? edge(row.lastVersion).after : row.ledgerPoints,
    points_earned: BigInt(row.points_earned),
    points_adjusted: BigInt(row.points_adjusted),
    points_spent: BigInt(row.points_spent),
    points_returned: BigInt(row.points_returned),
    points_refunded: BigInt(row.points_refunded),
    points_expired: BigInt(row.points_expired),
  };
}

/** Streams the lines of a period, all of one moment, by storefront id. */
export async function* streamStatement(
  db: ReadDb,
  period: { readonly startAt: Temporal.Instant; readonly endAt: Temporal.Instant },
): AsyncIterable<StatementSource[]> {
  const params = [
    period.startAt,
    period.endAt,
    MAPPING.map(({ type }) => type),
    MAPPING.map(({ isCredit }) => isCredit),
    MAPPING.map(({ column }) => CHANGE_COLUMNS.indexOf(column)),
  ];
  const options = { pieceRows: PIECE_ROWS, readsWholeTables: true };
  for await (const rows of db.stream<StatementRow>(SELECT_STATEMENT, params, options)) {
    const edges = await readEdges(db, rows);
    yield rows.map((row) => toSource(row, edges));
  }
}
