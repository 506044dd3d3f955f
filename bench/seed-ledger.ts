import type { Db } from "../src/db/pool.ts";

/** The history of each customer, one allotment per part of the time span, in this order. */
const HISTORY = [
  { type: "fulfillment", points: 100, source: "'fulfillment/' || c.n || '/1/' || v.version" },
  { type: "api", points: 100, source: "'api/' || u.uid" },
  { type: "fulfillment", points: 100, source: "'fulfillment/' || c.n || '/1/' || v.version" },
  { type: "reward", points: 100, source: "'reward/' || c.n || '/' || v.version" },
  { type: "manual", points: -60, source: "'manual/' || u.uid" },
  { type: "api", points: 100, source: "'api/' || u.uid" },
  { type: "fulfillment", points: 100, source: "'fulfillment/' || c.n || '/1/' || v.version" },
  { type: "csv", points: 100, source: "'csv/bench/' || c.n" },
  { type: "api", points: 100, source: "'api/' || u.uid" },
  { type: "manual", points: -60, source: "'manual/' || u.uid" },
] as const;

export const ALLOTMENTS_A_CUSTOMER = HISTORY.length;
/** Each allotment is in a separate part, so that times rise with versions. */
const PART_DAYS = 70;
const SPAN_DAYS = PART_DAYS * HISTORY.length;
const EXTENDING = ["api", "fulfillment", "reward"];

const CUSTOMERS = `with names as (
  select array['佐藤','鈴木','高橋','田中','伊藤','渡辺','山本','中村','小林','加藤','吉田','山田','佐々木','山口','松本','井上'] as family,
    array['太郎','花子','翔太','美咲','健一','陽菜','大輔','さくら','拓也','愛','直樹','優子','誠','裕子','剛','恵'] as given),
made as (
  select n, uid, get_byte(uuid_send(uid), 15) as bucket, $3::timestamptz + interval '1 second' * n as created_at
  from (select n, uuidv7() as uid from generate_series($1::bigint, $2::bigint - 1) n) numbered),
customers as (
  insert into customer (bucket, customer_uid, storefront_id, email, name, created_at)
  select bucket,
    uid,
    (7000000000000 + n)::text,
    'customer-' || n || '@example.com',
    case when n % 2 = 0 then 'Customer ' || n else names.family[1 + n / 2 % 16] || ' ' || names.given[1 + n / 32 % 16] end,
    created_at
  from made
  cross join names)
insert into customer_alias (storefront_id, bucket, customer_uid)
select (7000000000000 + n)::text, bucket, uid
from made`;

// A customer's time within the part: the same for the allotment, its lot and its draws.
const AT = (version: string) =>
  `($1::timestamptz + make_interval(secs => ${PART_DAYS * 86_400} * (${version} - 1 + (c.n * 7919 + ${version} * 104729) % 1000003 / 1000003.0)))`;

const NUMBERED = `select bucket, customer_uid, storefront_id::bigint - 7000000000000 as n
  from customer`;

function isExtending(type: string): boolean {
  return EXTENDING.includes(type);
}

function balanceAfter(version: number): number {
  return HISTORY.slice(0, version).reduce((sum, { points }) => sum + points, 0);
}

/** The allotments of one version, in the order of their times, as a store would have written them. */
function allotmentsOf(version: number): string {
  const { type, points, source } = HISTORY[version - 1] ?? HISTORY[0];
  return `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key,
  app_reference, extends, program_version)
select c.bucket, c.customer_uid, v.version, u.uid, c.at, '${type}', ${points}, ${balanceAfter(version)}, ${source}, 'bench',
  ${isExtending(type)}, 1
from (
  select c.*, ${AT(String(version))} as at
  from (${NUMBERED}) c
  order by at) c
cross join (select ${version} as version) v
cross join lateral (select uuidv7(c.at - now()) as uid) u`;
}

/** What the deductions left of the lot that this version opened. */
function lotsOf(version: number, remaining: number): string {
  const { type } = HISTORY[version - 1] ?? HISTORY[0];
  return `insert into lot (bucket, customer_uid, since, version, remaining, extends)
select c.bucket, c.customer_uid, c.at, ${version}, ${remaining}, ${isExtending(type)}
from (
  select c.*, ${AT(String(version))} as at
  from (${NUMBERED}) c
  order by at) c`;
}

// A few customers have much more points than the others, from an imported file.
const MORE_VERSION = HISTORY.findIndex(({ type }) => type === "csv") + 1;
const MORE = `with more as materialized (
  select bucket, customer_uid, 1000003 / (1 + n * 7919 % 1000003) as points
  from (${NUMBERED}) c
  where n * 7919 % 1000003 < 20000),
allotments as (
  update allotment a
  set point_value = a.point_value + case when a.version = ${MORE_VERSION} then m.points else 0 end,
    balance_after = a.balance_after + m.points
  from more m
  where a.bucket = m.bucket
    and a.customer_uid = m.customer_uid
    and a.version >= ${MORE_VERSION}),
lots as (
  update lot l
  set remaining = l.remaining + m.points
  from more m
  where l.bucket = m.bucket
    and l.customer_uid = m.customer_uid
    and l.version = ${MORE_VERSION})
update balance b
set ledger_points = b.ledger_points + m.points
from more m
where b.bucket = m.bucket
  and b.customer_uid = m.customer_uid`;

interface SeededDraw {
  readonly by: number;
  readonly n: number;
  readonly lot: number;
  readonly points: number;
}

/** Takes from the lots of the history, oldest first, like the ledger. */
function burn(): { readonly draws: readonly SeededDraw[]; readonly left: ReadonlyMap<number, number> } {
  const left = new Map<number, number>();
  const draws: SeededDraw[] = [];
  for (const [i, { points }] of HISTORY.entries()) {
    if (points > 0) left.set(i + 1, points);
    let due = Math.max(0, -points);
    let n = 0;
    for (const [lot, remaining] of left) {
      const taken = Math.min(due, remaining);
      if (taken === 0) continue;
      draws.push({ by: i + 1, n: n++, lot, points: taken });
      left.set(lot, remaining - taken);
      due -= taken;
    }
  }
  return { draws, left: new Map([...left].filter(([, remaining]) => remaining > 0)) };
}

function drawsText(draws: readonly SeededDraw[]): string {
  const rows = draws.map(({ by, n, lot, points }) => `(${by}, ${n}, ${lot}, ${points})`).join(", ");
  return `insert into draw (bucket, customer_uid, by_version, n, lot_version, part, points, lot_expires_at, lot_since, lot_extends)
select c.bucket, c.customer_uid, d.by_version, d.n, d.lot_version, 0, d.points, 'infinity', ${AT("d.lot_version")}, true
from (${NUMBERED}) c
cross join (values ${rows}) d (by_version, n, lot_version, points)`;
}

function balancesText(oldestLot: number): string {
  const last = HISTORY.length;
  const active = HISTORY.findLastIndex(({ type }) => isExtending(type)) + 1;
  const at = (version: number) => AT(String(version));
  return `insert into balance (bucket, customer_uid, ledger_points, version, last_allotted_at, active_at, expiry_from_on, oldest_since,
  earned_at)
select c.bucket, c.customer_uid, ${balanceAfter(last)}, ${last}, ${at(last)}, ${at(active)},
  (${at(active)} at time zone 'UTC')::date, ${at(oldestLot)}, ${at(1)}
from (${NUMBERED}) c`;
}

/** The number of customers per statement: their search index is the slowest to build. */
const CUSTOMERS_A_STATEMENT = 100_000;

/**
 * Creates customers in a fresh database with ten allotments each over the last 700 days, in bulk, with the rows and index entries that the ledger
 * would have written: `pointkeeper verify` finds no error. The storefront ids are those of `storefrontIdOf`.
 */
export async function seedLedger(db: Db, customers: number): Promise<void> {
  const start = Temporal.Now.instant().subtract({ hours: 24 * (SPAN_DAYS + 1) });
  for (let n = 0; n < customers; n += CUSTOMERS_A_STATEMENT) {
    await db.execute(CUSTOMERS, [n, Math.min(customers, n + CUSTOMERS_A_STATEMENT), start]);
  }
  await db.execute("analyze customer");
  const { draws, left } = burn();
  await db.execute(balancesText([...left.keys()][0] ?? 1), [start]);
  for (let version = 1; version <= HISTORY.length; version++) {
    await db.execute(allotmentsOf(version), [start]);
    const remaining = left.get(version);
    if (remaining !== undefined) await db.execute(lotsOf(version, remaining), [start]);
  }
  await db.execute(drawsText(draws), [start]);
  await db.execute(MORE);
  for (const table of ["customer", "customer_alias", "balance", "allotment", "lot", "draw"]) {
    await db.execute(`vacuum (freeze, analyze) ${table}`);
  }
}
