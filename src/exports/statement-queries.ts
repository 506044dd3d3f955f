import type { ReadDb } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { CHANGE_COLUMNS, type ChangeColumn, MAPPING } from "./statement.ts";

/** A customer's line as the database gives it: one moment, and the changes of the period. */
export interface StatementSource extends CustomerRef, Readonly<Record<ChangeColumn, bigint>> {
  readonly storefrontId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly tierUid: string | null;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  /** By the balance's row: the ledger less what is held. */
  readonly availablePoints: bigint;
  readonly heldUntil: Temporal.Instant | null;
  /** What expires next without a date of its own counts from here: the oldest such lot, or the last activity where dates slide. */
  readonly countsFrom: Temporal.Instant | null;
  readonly soonestExpiresAt: Temporal.Instant | null;
}

/** Below it every sum of whole numbers is exact in floating point, which is added up in far less time and memory than numeric. */
const EXACT_BELOW = 2 ** 53;

const placesOf = (credits: boolean) =>
  MAPPING.filter(({ isCredit }) => isCredit === credits)
    .map(({ type, column }) => `when '${type}' then ${CHANGE_COLUMNS.indexOf(column)}`)
    .join(" ");

// The number of each allotment's column, of the constant mapping: a join with it takes as long as all the sums.
const PLACE = `case when a.point_value > 0 then case a.type ${placesOf(true)} end else case a.type ${placesOf(false)} end end`;

const sums = (sumOf: (place: number) => string) =>
  `concat_ws(' ', ${CHANGE_COLUMNS.map((_, place) => sumOf(place)).join(", ")})`;

// A customer's versions and times rise together, so the period is a range of versions.
const SELECT_STATEMENT = `with change as (
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
    where a.allotted_at >= $1
      and a.allotted_at < $2
      and a.point_value <> 0
    offset 0) a -- not merged into the query around it, which would compute the place again for each sum
  group by a.bucket, a.customer_uid)
select c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.email,
  c.name,
  t.tier_uid as "tierUid",
  nullif(s.first_version, 1) as "firstVersion",
  case when s.last_version < b.version or s.moved >= ${EXACT_BELOW} then s.last_version end as "lastVersion",
  case when s.moved < ${EXACT_BELOW} then
    ${sums((place) => `coalesce(s.${CHANGE_COLUMNS[place]}, 0)::bigint`)}
  end as changes,
  b.ledger_points as "ledgerPoints",
  b.ledger_points - b.held_points as "availablePoints",
  b.held_until as "heldUntil",
  case when $3 and b.oldest_since is not null then greatest(b.active_at, b.oldest_since) else b.oldest_since end as "countsFrom",
  b.soonest_expires_at as "soonestExpiresAt"
from change s
join balance b on b.bucket = s.bucket and b.customer_uid = s.customer_uid
join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
left join customer_tier t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
order by c.storefront_id`;

const PIECE_ROWS = 1_000;

interface StatementRow extends Omit<StatementSource, ChangeColumn | "openingBalance" | "closingBalance"> {
  /** Of the period; null: the customer's first one. */
  readonly firstVersion: bigint | null;
  /** Null: the customer's last one, and the sums are exact. */
  readonly lastVersion: bigint | null;
  /** The sums in the order of the columns, by spaces; null: they are not exact. */
  readonly changes: string | null;
  readonly ledgerPoints: bigint;
}

const EDGES = `select a.customer_uid || '/' || a.version as key,
  a.balance_after - a.point_value as before,
  a.balance_after as after
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as w (bucket, customer_uid, version)
join allotment a on a.bucket = w.bucket and a.customer_uid = w.customer_uid and a.version = w.version`;

/** The balance before an allotment and after it. */
interface Edge {
  readonly before: bigint;
  readonly after: bigint;
}

// As text: what went in and out of one customer may be more than a bigint holds, and is no reason to fail everybody's line.
const EXACT_SUMS = `select u.customer_uid as "customerUid",
  ${sums((place) => `coalesce(sum(a.point_value) filter (where ${PLACE} = ${place}), 0)::text`)} as changes
from unnest($3::smallint[], $4::uuid[], $5::bigint[]) as u (bucket, customer_uid, last_version)
join allotment a on a.bucket = u.bucket and a.customer_uid = u.customer_uid
where a.allotted_at >= $1
  and a.allotted_at < $2
  and a.version <= u.last_version
group by u.customer_uid`;

/**
 * What rows need besides themselves, by customer and version: their first and last allotments where the balances of these are not known
 * without them, and sums that are too large to be exact. Allotments are never changed, so they may be read at a later moment than the rows.
 */
interface More {
  readonly edges: ReadonlyMap<string, Edge>;
  readonly exactSums: ReadonlyMap<string, string>;
}

async function readMore(db: ReadDb, rows: readonly StatementRow[], { startAt, endAt }: StatementPeriod): Promise<More> {
  const [edges, exactSums] = [new Map<string, Edge>(), new Map<string, string>()];
  const requested = rows.flatMap(({ bucket, customerUid, firstVersion, lastVersion }) =>
    [firstVersion, lastVersion].flatMap((version) => (version === null ? [] : [{ bucket, customerUid, version }])),
  );
  if (requested.length > 0) {
    for (const edge of await db.query<Edge & { key: string }>(EDGES, keysOf(requested))) edges.set(edge.key, edge);
  }
  const large = rows.flatMap(({ bucket, customerUid, changes, lastVersion }) =>
    changes === null && lastVersion !== null ? [{ bucket, customerUid, version: lastVersion }] : [],
  );
  if (large.length > 0) {
    const found = await db.query<{ customerUid: string; changes: string }>(EXACT_SUMS, [
      startAt,
      endAt,
      ...keysOf(large),
    ]);
    for (const { customerUid, changes } of found) exactSums.set(customerUid, changes);
  }
  return { edges, exactSums };
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

/** The opening balance is the one before the period's first allotment, the closing balance the one after its last. */
function toSource(row: StatementRow, more: More): StatementSource {
  const { customerUid, firstVersion, lastVersion } = row;
  const changes = row.changes ?? more.exactSums.get(customerUid);
  if (changes === undefined) throw new Error(`the allotments of customer ${customerUid} are gone`);
  const [earned = "", adjusted = "", spent = "", returned = "", refunded = "", expired = ""] = changes.split(" ");
  return {
    bucket: row.bucket,
    customerUid,
    storefrontId: row.storefrontId,
    email: row.email,
    name: row.name,
    tierUid: row.tierUid,
    openingBalance: firstVersion === null ? 0n : edgeOf(more, customerUid, firstVersion).before,
    closingBalance: lastVersion === null ? row.ledgerPoints : edgeOf(more, customerUid, lastVersion).after,
    points_earned: BigInt(earned),
    points_adjusted: BigInt(adjusted),
    points_spent: BigInt(spent),
    points_returned: BigInt(returned),
    points_refunded: BigInt(refunded),
    points_expired: BigInt(expired),
    availablePoints: row.availablePoints,
    heldUntil: row.heldUntil,
    countsFrom: row.countsFrom,
    soonestExpiresAt: row.soonestExpiresAt,
  };
}

/** From its start, included, to its end, excluded. */
export interface StatementPeriod {
  readonly startAt: Temporal.Instant;
  readonly endAt: Temporal.Instant;
}

/** Streams the lines of a period, all of one moment, by storefront id. `isSliding`: whether dates of expiry slide. */
export async function* streamStatement(
  db: ReadDb,
  period: StatementPeriod,
  { isSliding }: { readonly isSliding: boolean },
): AsyncIterable<StatementSource[]> {
  const params = [period.startAt, period.endAt, isSliding];
  const options = { pieceRows: PIECE_ROWS, readsWholeTables: true };
  for await (const rows of db.stream<StatementRow>(SELECT_STATEMENT, params, options)) {
    const more = await readMore(db, rows, period);
    yield rows.map((row) => toSource(row, more));
  }
}
