import type { Db } from "../src/db/pool.ts";

const POINTS = 100;

const SEED_ALLOTMENTS = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after,
  source_key, app_reference, origin, extends, program_version)
select b.bucket, b.customer_uid, 1, u.uid, $1::timestamptz + random() * interval '10 hours', 'api', ${POINTS}, ${POINTS},
  'api/' || u.uid, 'bench', 'promotion', true, 1
from balance b
cross join lateral (select uuidv7() as uid where b.version = 0) u`;

const SEED_LOTS = `insert into lot (bucket, customer_uid, since, version, remaining, extends, origin)
select a.bucket, a.customer_uid, a.allotted_at, a.version, a.point_value, a.extends, a.origin
from allotment a`;

const SEED_BALANCES = `update balance b
set ledger_points = ${POINTS},
  version = 1,
  last_allotted_at = a.allotted_at,
  active_at = a.allotted_at,
  expiry_from_on = (a.allotted_at at time zone 'UTC')::date,
  oldest_since = a.allotted_at,
  earned_at = a.allotted_at
from allotment a
where a.bucket = b.bucket and a.customer_uid = b.customer_uid`;

/**
 * Gives every customer of a fresh database 100 points in bulk, each at a different instant in the ten hours from `allottedAt`, with the rows that
 * postings would have written.
 */
export async function seedDuePoints(db: Db, allottedAt: Temporal.Instant): Promise<void> {
  await db.execute(SEED_ALLOTMENTS, [allottedAt]);
  await db.execute(SEED_LOTS);
  await db.execute(SEED_BALANCES);
  await db.execute("vacuum analyze balance, allotment, lot");
}
