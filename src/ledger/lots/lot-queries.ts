import type { Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../customer-ref.ts";
import type { LotWindow } from "../posting.ts";
import type { Draw, Lot } from "./lots.ts";

const LOT_COLUMNS = `l.version,
    l.part,
    l.remaining,
    l.expires_at as "expiresAt",
    l.since,
    l.extends,
    l.origin`;

/** Lots of each customer in burn order: first all with an own date, then all without. */
const lotsOf = (isOfKind = "") => `select w.i::int, l.*
from unnest($1::smallint[], $2::uuid[]) with ordinality as w (bucket, customer_uid, i)
cross join lateral (
  select ${LOT_COLUMNS}
  from lot l
  where l.bucket = w.bucket and l.customer_uid = w.customer_uid ${isOfKind}
  order by l.bucket, l.customer_uid, l.expires_at, l.since, l.version, l.part
  limit $3) l`;

const READ_FIRST = lotsOf();

/** The same on Citus, which cannot push a limit per customer down to the shards, but can push down a row number per customer. */
const distributedLotsOf = (partition: string) => `select f.*
from (
  select w.i::int,
    ${LOT_COLUMNS},
    row_number() over (
      partition by l.bucket, l.customer_uid${partition}
      order by l.expires_at, l.since, l.version, l.part) as place
  from unnest($1::smallint[], $2::uuid[]) with ordinality as w (bucket, customer_uid, i)
  join lot l on l.bucket = w.bucket and l.customer_uid = w.customer_uid
  where l.bucket = any($1)) f
where f.place <= $3
order by f.i, f.place`;

const READ_DISTRIBUTED_FIRST = distributedLotsOf("");
const READ_DISTRIBUTED_KINDS = distributedLotsOf(", l.expires_at = 'infinity'");

const READ_KINDS = `${lotsOf("and l.expires_at < 'infinity'")}
union all
${lotsOf("and l.expires_at = 'infinity'")}`;

/**
 * SQL for `named` (i, bucket, customer_uid, version), the lots that a statement's first three parameters name, and `near_lot`, the lots of these
 * customers between their lowest and highest named version. No index leads to a version, so the index entries of all lots of a customer are read:
 * once a customer, not once a version, which took 10 seconds for 500 versions of 100,000.
 */
export const WITH_NAMED_LOTS = `with named as (
  select w.*
  from unnest($1::smallint[], $2::uuid[], $3::bigint[]) with ordinality as w (bucket, customer_uid, version, i)),
near_lot as materialized (
  select l.*
  from (
    select n.bucket,
      n.customer_uid,
      min(n.version) as first_version,
      max(n.version) as last_version
    from named n
    group by n.bucket, n.customer_uid) k
  join lot l on l.bucket = k.bucket
    and l.customer_uid = k.customer_uid
    and l.version between k.first_version and k.last_version)`;

/** Its parameters are the buckets, customers and versions. */
export const READ_NAMED = `${WITH_NAMED_LOTS}
select n.i::int,
    ${LOT_COLUMNS}
from named n
join near_lot l on l.bucket = n.bucket and l.customer_uid = n.customer_uid and l.version = n.version`;

type LotRow = Lot & { i: number };

/** Names the lots that version `version` of a customer opened. */
export interface NamedLots extends CustomerRef {
  readonly version: bigint;
}

/** Selects which lots of the customers are read. Their balances must be locked. */
export interface LotQuery {
  readonly refs: readonly CustomerRef[];
  readonly named: readonly NamedLots[];
  readonly size: number;
}

/** Returns the first `size` lots of each customer, and the named ones, by customer uid. For most customers these are all lots. */
export function selectFirstLots(tx: Tx, query: LotQuery): Promise<Map<string, LotWindow>> {
  return selectWindows(tx, tx.shards !== null ? READ_DISTRIBUTED_FIRST : READ_FIRST, query, (lots) =>
    firstWindow(lots, query.size),
  );
}

/** Returns the first `size` lots of each kind for each customer, and the named ones, by customer uid. */
export function selectLotsByKind(tx: Tx, query: LotQuery): Promise<Map<string, LotWindow>> {
  return selectWindows(tx, tx.shards !== null ? READ_DISTRIBUTED_KINDS : READ_KINDS, query, (lots) =>
    kindsWindow(lots, query.size),
  );
}

async function selectWindows(
  tx: Tx,
  text: string,
  { refs, named, size }: LotQuery,
  windowOf: (lots: readonly Lot[]) => LotWindow,
): Promise<Map<string, LotWindow>> {
  if (refs.length === 0) return new Map();
  const [rows, namedRows] = await Promise.all([
    tx.query<LotRow>(text, [refs.map((r) => r.bucket), refs.map((r) => r.customerUid), size + 1]),
    named.length === 0
      ? []
      : tx.query<LotRow>(READ_NAMED, [
          named.map((n) => n.bucket),
          named.map((n) => n.customerUid),
          named.map((n) => n.version),
        ]),
  ]);
  const lots: Lot[][] = refs.map(() => []);
  for (const row of rows) lots[row.i - 1]?.push(toLot(row));
  const namedLots = Map.groupBy(namedRows, (row) => named[row.i - 1]?.customerUid);
  return new Map(
    refs.map(({ customerUid }, index) => [
      customerUid,
      { ...windowOf(lots[index] ?? []), named: namedLots.get(customerUid)?.map(toLot) ?? [] },
    ]),
  );
}

function toLot({ version, part, remaining, expiresAt, since, extends: extendsExpiry, origin }: LotRow): Lot {
  return { version, part, remaining, expiresAt, since, extends: extendsExpiry, origin };
}

/** Returns a window of the first lots of a balance from at most `size` + 1 lots; the extra one shows that there are more. */
export function firstWindow(lots: readonly Lot[], size: number): LotWindow {
  const within = lots.slice(0, size);
  const isMore = lots.length > size;
  return {
    dated: within.filter(isDated),
    datedMore: isMore && lots.slice(size).some(isDated),
    undated: within.filter((lot) => !isDated(lot)),
    undatedMore: isMore,
    named: [],
  };
}

/** Returns a window of the first lots of each kind from at most `size` + 1 lots of each; the extra one shows that there are more. */
export function kindsWindow(lots: readonly Lot[], size: number): LotWindow {
  const dated = lots.filter(isDated);
  const undated = lots.filter((lot) => !isDated(lot));
  return {
    dated: dated.slice(0, size),
    datedMore: dated.length > size,
    undated: undated.slice(0, size),
    undatedMore: undated.length > size,
    named: [],
  };
}

function isDated({ expiresAt }: Lot): boolean {
  return expiresAt !== null;
}

const READ_DRAWS = `select d.customer_uid as "customerUid",
  d.by_version as "byVersion",
  d.lot_version as version,
  d.part,
  d.points,
  d.lot_expires_at as "expiresAt",
  d.lot_since as since,
  d.lot_extends as extends,
  d.lot_origin as origin
from (
  select distinct *
  from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as u (bucket, customer_uid, version)) w
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.by_version = w.version
order by d.customer_uid, d.by_version, d.n`;

type DrawRow = Omit<Lot, "remaining"> & { customerUid: string; byVersion: bigint; points: bigint };

/** Returns what deductions drew, in the order of drawing, by customer uid and version. */
export async function readDraws(tx: Tx, named: readonly NamedLots[]): Promise<Map<string, Map<bigint, Draw[]>>> {
  const found = new Map<string, Map<bigint, Draw[]>>();
  if (named.length === 0) return found;
  const rows = await tx.query<DrawRow>(READ_DRAWS, [
    named.map((w) => w.bucket),
    named.map((w) => w.customerUid),
    named.map((w) => w.version),
  ]);
  for (const { customerUid, byVersion, points, ...lot } of rows) {
    const ofCustomer = found.get(customerUid) ?? new Map<bigint, Draw[]>();
    found.set(customerUid, ofCustomer);
    const draws = ofCustomer.get(byVersion) ?? [];
    ofCustomer.set(byVersion, draws);
    draws.push({ lot: { ...lot, remaining: 0n }, points });
  }
  return found;
}
