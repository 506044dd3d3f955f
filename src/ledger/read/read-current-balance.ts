import type { Queryable } from "../../db/pool.ts";
import { BALANCE_COLUMNS } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import type { Lot } from "../lots/lots.ts";
import type { CustomerLedger } from "../posting.ts";
import { type CurrentBalance, currentBalance } from "./balance-snapshot.ts";

// One statement, so that balance, lots and holds are from one moment. A hold is returned as a lot with its own points and date.
const READ_PARTS = `select ${BALANCE_COLUMNS},
  p.hold,
  p.version as "lotVersion",
  p.part,
  p.remaining,
  p.expires_at as "expiresAt",
  p.since,
  p.extends,
  p.origin
from balance b
left join lateral (
  select null::uuid as hold, l.version, l.part, l.remaining, l.expires_at, l.since, l.extends, l.origin
  from lot l
  where l.bucket = $1 and l.customer_uid = b.customer_uid
  union all
  select r.uid, 0, 0, r.point_value, r.expires_at, r.held_at, false, null
  from reservation r
  where r.bucket = $1 and r.customer_uid = b.customer_uid and r.state = 'held' and r.expires_at <= $3) p on true
where b.bucket = $1
  and b.customer_uid = $2`;

/** `remaining` null: the balance has no lots and no hold that is over. */
type PartRow = CustomerLedger &
  Omit<Lot, "version" | "remaining"> & { hold: string | null; lotVersion: bigint; remaining: bigint | null };

/**
 * Returns the balance as it is at `now`, whether or not the sweeps have run (program.md 3 and 5): decided as a posting decides, and not written.
 * Undefined: there is no balance.
 */
export async function readCurrentBalance(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  rules: ExpiryRules,
  now: Temporal.Instant,
): Promise<CurrentBalance | undefined> {
  const rows = await queryable.query<PartRow>(READ_PARTS, [bucket, customerUid, now]);
  const [before] = rows;
  if (before === undefined) return undefined;
  const lots = rows.flatMap(toLot);
  const holdEnds = rows.flatMap(({ hold: uid, remaining: points, expiresAt: at }) =>
    uid === null || points === null || at === null ? [] : [{ uid, points, captured: 0n, at }],
  );
  holdEnds.sort((a, b) => Temporal.Instant.compare(a.at, b.at));
  return currentBalance({ before, lots, holdEnds }, rules, now);
}

function toLot({
  hold,
  lotVersion: version,
  part,
  remaining,
  expiresAt,
  since,
  extends: isExtending,
  origin,
}: PartRow): Lot[] {
  if (hold !== null || remaining === null) return [];
  return [{ version, part, remaining, expiresAt, since, extends: isExtending, origin }];
}
