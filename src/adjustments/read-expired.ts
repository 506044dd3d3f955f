import type { Queryable } from "../db/pool.ts";
import { lotExpiry } from "../ledger/expiry.ts";
import { readProgram } from "../program/read-program.ts";
import type { Undoable } from "./adjustment.ts";

// The allotment and, if its customer was merged into another, the allotments that carried over what was left of it.
const CARRIED = (sources: string) => `with recursive carried as (
  select $1::smallint as bucket,
    $2::uuid as customer_uid,
    $3::bigint as version
  union all
  select a.bucket, a.customer_uid, a.version
  from carried c
  join ${sources} a on a.source_key = 'merge/' || c.customer_uid || '/' || c.version || '/0' and a.source_key not like 'api/%')`;

const WRITTEN_OFF = (sources: string) => `${CARRIED(sources)}
select coalesce(sum(d.points), 0)::bigint as points
from carried c
join draw d on d.bucket = c.bucket and d.customer_uid = c.customer_uid and d.lot_version = c.version
join allotment a on a.bucket = d.bucket and a.customer_uid = d.customer_uid and a.version = d.by_version
where a.type = 'expiration'`;

const LEFT = (sources: string) => `${CARRIED(sources)}
select l.remaining,
  l.expires_at as "expiresAt",
  l.since,
  b.active_at as "activeAt"
from carried c
join lot l on l.bucket = c.bucket and l.customer_uid = c.customer_uid and l.version = c.version
join balance b on b.bucket = l.bucket and b.customer_uid = l.customer_uid`;

const TEXTS = {
  plain: { writtenOff: WRITTEN_OFF("allotment"), left: LEFT("allotment") },
  distributed: { writtenOff: WRITTEN_OFF("counted_source"), left: LEFT("counted_source") },
} as const;

interface LeftLot {
  readonly remaining: bigint;
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
  readonly activeAt: Temporal.Instant | null;
}

/** Returns how many of the points that an allotment added have expired by a moment, whether already written off or not; 0 for a deduction. */
export async function readExpired(
  queryable: Queryable,
  { bucket, customerUid, version, pointValue }: Omit<Undoable, "carriedVersion" | "expired">,
  now: Temporal.Instant,
): Promise<bigint> {
  if (pointValue <= 0n) return 0n;
  const key = [bucket, customerUid, version];
  const texts = TEXTS[(await queryable.isDistributed()) ? "distributed" : "plain"];
  const [[writtenOff], left, { expiration, store }] = await Promise.all([
    queryable.query<{ points: bigint }>(texts.writtenOff, key),
    queryable.query<LeftLot>(texts.left, key),
    readProgram(queryable),
  ]);
  const rules = { ...expiration, timeZone: store.timeZone };
  let expired = writtenOff?.points ?? 0n;
  for (const { remaining, activeAt, ...lot } of left) {
    const at = lotExpiry(lot, activeAt, rules);
    if (at !== null && Temporal.Instant.compare(at, now) <= 0) expired += remaining;
  }
  return expired;
}
