import type { Queryable } from "../../db/pool.ts";
import { readProgram } from "../../program/read-program.ts";
import { refKeys } from "../customer-ref.ts";
import { type NamedLots, WITH_NAMED_LOTS } from "../lots/lot-queries.ts";
import { allotmentName, type CarriedLots } from "../merge/carried-lots.ts";
import { readCarried } from "../merge/read-carried.ts";
import { lotExpiry } from "./expiry.ts";
import { readReturnedExpired } from "./read-returned-expired.ts";

const READ_WRITTEN_OFF = `select w.i::int,
  sum(d.points)::bigint as points
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) with ordinality as w (bucket, customer_uid, version, i)
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.lot_version = w.version
join allotment a on a.bucket = d.bucket and a.customer_uid = d.customer_uid and a.version = d.by_version
where a.type = 'expiration'
group by w.i`;

/** Its parameters are the buckets, customers and versions. */
export const READ_LEFT = `${WITH_NAMED_LOTS}
select n.i::int,
  l.remaining,
  l.expires_at as "expiresAt",
  l.since,
  b.active_at as "activeAt"
from named n
join near_lot l on l.bucket = n.bucket and l.customer_uid = n.customer_uid and l.version = n.version
join balance b on b.bucket = l.bucket and b.customer_uid = l.customer_uid
where b.held_points = 0`;

interface LeftLot {
  readonly i: number;
  readonly remaining: bigint;
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
  readonly activeAt: Temporal.Instant | null;
}

/**
 * Returns, by `allotmentName`, how many of the points that allotments added have expired by a moment, whether already written off or not, also of those
 * that were spent and came back (`readReturnedExpired`); absent: none. They are gone, so undoing an allotment takes no other points for them. While a
 * customer has holds, which keep points beyond their date, only points that are written off count: call `writeOffBesideHolds` first.
 */
export async function readExpired(
  queryable: Queryable,
  added: readonly NamedLots[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, bigint>> {
  const expired = new Map<string, bigint>();
  if (added.length === 0) return expired;
  const parts: CarriedLots[] = [...added.map((of) => ({ ...of, of })), ...(await readCarried(queryable, added))];
  const [writtenOff, left, { expiration, store }] = await Promise.all([
    queryable.query<{ i: number; points: bigint }>(READ_WRITTEN_OFF, keysOf(parts)),
    queryable.query<LeftLot>(READ_LEFT, keysOf(parts)),
    readProgram(queryable),
  ]);
  const rules = { ...expiration, timeZone: store.timeZone };
  const count = (i: number, points: bigint) => {
    const part = parts[i - 1];
    if (part === undefined) throw new Error("a row is of no part");
    const name = allotmentName(part.of);
    expired.set(name, (expired.get(name) ?? 0n) + points);
  };
  for (const { i, points } of writtenOff) count(i, points);
  for (const { i, remaining, activeAt, ...lot } of left) {
    const at = lotExpiry(lot, activeAt, rules);
    if (at !== null && Temporal.Instant.compare(at, now) <= 0) count(i, remaining);
  }
  const returned = await readReturnedExpired(queryable, parts, { now, rules });
  for (const [name, points] of returned) expired.set(name, (expired.get(name) ?? 0n) + points);
  return expired;
}

function keysOf(named: readonly NamedLots[]): [number[], string[], bigint[]] {
  return [...refKeys(named), named.map(({ version }) => version)];
}
