import type { Queryable } from "../../db/pool.ts";
import { type CustomerRef, refKeys, refOf } from "../customer-ref.ts";
import { allotmentName, type CarriedLots } from "../merge/carried-lots.ts";
import { readHolders, readMergedInto } from "../merge/merge-queries.ts";
import { OPENS_OWN_LOTS } from "../verify/lot-date-checks.ts";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";

const READ_SPENT = `select w.i::int,
  d.lot_since as since,
  sum(d.points)::bigint as points
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) with ordinality as w (bucket, customer_uid, version, i)
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.lot_version = w.version
join allotment e on e.bucket = d.bucket and e.customer_uid = d.customer_uid and e.version = d.by_version
where e.type not in ('expiration', 'deletion')
  and e.source_key not like 'merge/%'
group by w.i, d.lot_since`;

// The draws and lots of a customer are read once, not once for each start, as in `WITH_NAMED_LOTS`.
const withStarted = (table: "draw" | "lot", since: string) => `with named as (
  select w.*
  from unnest($1::smallint[], $2::uuid[], $3::timestamptz[]) with ordinality as w (bucket, customer_uid, since, i)),
near as materialized (
  select t.*
  from (
    select n.bucket,
      n.customer_uid,
      min(n.since) as first_since,
      max(n.since) as last_since
    from named n
    group by n.bucket, n.customer_uid) k
  join ${table} t on t.bucket = k.bucket
    and t.customer_uid = k.customer_uid
    and t.${since} between k.first_since and k.last_since)`;

const READ_STARTED_DRAWS = `${withStarted("draw", "lot_since")}
select n.i::int,
  a.customer_uid as "customerUid",
  a.version,
  ${OPENS_OWN_LOTS} as "isOwn",
  coalesce(sum(x.points) filter (where e.type = 'expiration'), 0)::bigint as points
from named n
join near x on x.bucket = n.bucket and x.customer_uid = n.customer_uid and x.lot_since = n.since
join allotment a on a.bucket = x.bucket and a.customer_uid = x.customer_uid and a.version = x.lot_version
join allotment e on e.bucket = x.bucket and e.customer_uid = x.customer_uid and e.version = x.by_version
group by n.i, a.customer_uid, a.version, a.source_key`;

const READ_STARTED_LOTS = `${withStarted("lot", "since")}
select n.i::int,
  a.customer_uid as "customerUid",
  a.version,
  ${OPENS_OWN_LOTS} as "isOwn",
  x.remaining as points,
  x.expires_at as "expiresAt",
  x.since,
  b.active_at as "activeAt",
  b.held_points = 0 as "isFree"
from named n
join near x on x.bucket = n.bucket and x.customer_uid = n.customer_uid and x.since = n.since
join allotment a on a.bucket = x.bucket and a.customer_uid = x.customer_uid and a.version = x.version
join balance b on b.bucket = x.bucket and b.customer_uid = x.customer_uid`;

interface Started {
  readonly i: number;
  readonly customerUid: string;
  readonly version: bigint;
  /** Whether the allotment gave these points, and did not bring them back. */
  readonly isOwn: boolean;
  readonly points: bigint;
}

interface StartedLot extends Started {
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
  readonly activeAt: Temporal.Instant | null;
  readonly isFree: boolean;
}

/** An allotment whose points were spent, in part or all. */
interface Spent {
  readonly of: CarriedLots["of"];
  readonly since: Temporal.Instant;
  readonly points: bigint;
  /** The names of its own lots, and of those that carried them. */
  readonly names: ReadonlySet<string>;
}

/**
 * Returns, by `allotmentName`, how many points of allotments were spent, came back as other lots and have expired since; absent: none. Such lots keep the
 * start of those from which the points were taken. So they are an allotment's if no other one gave the person points with the same start. Otherwise
 * nothing is counted: after a merge of two customers who got points in the same microsecond, or if each allotment expires by itself, of two rows of a
 * file with one date of earning. `parts`: their lots, carried ones too.
 */
export async function readReturnedExpired(
  queryable: Queryable,
  parts: readonly CarriedLots[],
  { now, rules }: { readonly now: Temporal.Instant; readonly rules: ExpiryRules },
): Promise<ReadonlyMap<string, bigint>> {
  const spent = await readSpent(queryable, parts);
  if (spent.length === 0) return new Map();
  const persons = await readPersons(queryable, spent);
  const searched = spent.flatMap((one, n) => (persons[n] ?? []).map((customer) => ({ n, one, customer })));
  const keys = [...refKeys(searched.map(({ customer }) => customer)), searched.map(({ one }) => one.since)];
  const [draws, lots] = await Promise.all([
    queryable.query<Started>(READ_STARTED_DRAWS, keys),
    queryable.query<StartedLot>(READ_STARTED_LOTS, keys),
  ]);
  const isOver = ({ isFree, activeAt, ...lot }: StartedLot) => {
    const at = isFree ? lotExpiry(lot, activeAt, rules) : null;
    return at !== null && Temporal.Instant.compare(at, now) <= 0;
  };
  const started = [...draws, ...lots.map((lot) => (isOver(lot) ? lot : { ...lot, points: 0n }))];
  const byAllotment = Map.groupBy(started, ({ i }) => searched[i - 1]?.n);
  return new Map(spent.map((one, n) => [allotmentName(one.of), returnedOf(one, byAllotment.get(n) ?? [])]));
}

/** At most what was spent: a correction may take other points again than those that came back before. */
function returnedOf({ of, points, names }: Spent, started: readonly Started[]): bigint {
  const name = allotmentName(of);
  if (started.some((one) => one.isOwn && allotmentName(one) !== name)) return 0n;
  const returned = started.filter((one) => !names.has(allotmentName(one)));
  const expired = returned.reduce((sum, one) => sum + one.points, 0n);
  return expired < points ? expired : points;
}

async function readSpent(queryable: Queryable, parts: readonly CarriedLots[]): Promise<readonly Spent[]> {
  const rows = await queryable.query<{ i: number; since: Temporal.Instant; points: bigint }>(READ_SPENT, [
    ...refKeys(parts),
    parts.map(({ version }) => version),
  ]);
  const taken = rows.flatMap(({ i, ...row }) => {
    const part = parts[i - 1];
    return part === undefined ? [] : [{ ...row, of: part.of }];
  });
  const namesOf = Map.groupBy(parts, ({ of }) => allotmentName(of));
  return [...Map.groupBy(taken, ({ of }) => allotmentName(of))].flatMap(([name, [first, ...others]]) => {
    if (first === undefined) return [];
    const points = others.reduce((sum, row) => sum + row.points, first.points);
    return [{ ...first, points, names: new Set(namesOf.get(name)?.map(allotmentName)) }];
  });
}

/** Returns, for each allotment, all customers of its person: who has the points now, and who were merged into that one. */
async function readPersons(
  queryable: Queryable,
  spent: readonly Spent[],
): Promise<readonly (readonly CustomerRef[])[]> {
  const owners = spent.map(({ of }) => refOf(of.customerUid));
  const holders = await readHolders(queryable, owners);
  const kept = owners.map((owner) => holders.get(owner.customerUid) ?? owner);
  const merged = await readMergedInto(queryable, [...new Map(kept.map((one) => [one.customerUid, one])).values()]);
  const mergedOf = Map.groupBy(merged, ({ keptUid }) => keptUid);
  return kept.map((holder) => [holder, ...(mergedOf.get(holder.customerUid) ?? [])]);
}
