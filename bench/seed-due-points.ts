import type { Db } from "../src/db/pool.ts";

const POINTS = 100;

const SEED_ALLOTMENTS = `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after,
  source_key, app_reference, origin, extends, program_version)
select b.bucket, b.customer_uid, 1, u.uid, $1, 'api', ${POINTS}, ${POINTS}, 'api/' || u.uid, 'bench', 'promotion', true, 1
from balance b
cross join lateral (select uuidv7() as uid where b.version = 0) u`;

const SEED_LOTS = `insert into lot (bucket, customer_uid, since, version, remaining, extends, origin)
select a.bucket, a.customer_uid, a.allotted_at, a.version, a.point_value, a.extends, a.origin
from allotment a`;

const SEED_BALANCES = `update balance
set ledger_points = ${POINTS},
  version = 1,
  last_allotted_at = $1,
  active_at = $1,
  expiry_from_on = ($1::timestamptz at time zone 'UTC')::date,
  oldest_since = $1,
  earned_at = $1`;

/** Gives every customer of a fresh database 100 points at an instant, in bulk: the rows that a posting of each would have left. */
export async function seedDuePoints(db: Db, allottedAt: Temporal.Instant): Promise<void> {
  await db.execute(SEED_ALLOTMENTS, [allottedAt]);
  await db.execute(SEED_LOTS);
  await db.execute(SEED_BALANCES, [allottedAt]);
  await db.execute("vacuum analyze balance, allotment, lot");
}
