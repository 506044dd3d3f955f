import { OPENS_OWN_LOTS } from "./lot-date-checks.ts";

/** The columns that a lot, and each draw from it, copy from its allotment. */
interface LotColumns {
  readonly since: string;
  readonly part: string;
  readonly extends: string;
  readonly origin: string;
}

/** Points given by an allotment and points taken by a deduction are hashed with different seeds. */
const CREDIT_SEED = "$3::bigint";
const DEBIT_SEED = "($3::bigint # 1)";

// Versions and times are hashed as doubles, which hold versions and the microseconds of the years up to 2242 exactly. PostgreSQL's own hashes of
// a bigint and of a time first mix both halves of the eight bytes into four, and hashes of bytes exist only from PostgreSQL 18 on.
function versionHash(customerUid: string, version: string, seed: string): string {
  return `hashfloat8extended(${version}::float8, uuid_hash_extended(${customerUid}, ${seed}))`;
}

function lotHash(customerUid: string, version: string, lot: LotColumns): string {
  const flags = `(${lot.part} * 2 + ${lot.extends}::integer)::bigint`;
  const dated = `hashfloat8extended(date_part('epoch', ${lot.since}), ${versionHash(customerUid, version, CREDIT_SEED)} # ${flags})`;
  return `hashtextextended(coalesce('+' || ${lot.origin}, ''), ${dated})`;
}

const IS_PLAIN = `a.earned_at is null and ${OPENS_OWN_LOTS}`;
const CREDIT = versionHash("a.customer_uid", "a.version", CREDIT_SEED);
const PLAIN_CREDIT = lotHash("a.customer_uid", "a.version", {
  since: "a.allotted_at",
  part: "0",
  extends: "a.extends",
  origin: "a.origin",
});
const DEBIT = versionHash("a.customer_uid", "a.version", DEBIT_SEED);
const LOT = lotHash("customer_uid", "version", {
  since: "since",
  part: "part",
  extends: "extends",
  origin: "origin",
});
const DRAWN_LOT = lotHash("customer_uid", "lot_version", {
  since: "lot_since",
  part: "part",
  extends: "lot_extends",
  origin: "lot_origin",
});
const DRAW = versionHash("customer_uid", "by_version", DEBIT_SEED);

/**
 * Returns a row if the lots and draws of buckets `$1` to `$2` do not match their allotments. Uses one sum instead of a comparison of each
 * version: the points of every row times a 64-bit hash of what they belong to. `$3` is a seed that nobody knew when the rows were written.
 *
 * The points of an ordinary allotment belong to its version, time, activity and origin. Those of an allotment with own dates or returned points
 * belong only to its version, and those of a deduction to the version that took them. If each version agrees with its lots and draws, all terms
 * cancel out; if one does not, the sum is zero for one seed in 2^64. No row is sorted or grouped, and only lots of the second kind are joined.
 */
export const LOTS_FINGERPRINT: string = `select sum(fingerprint) as fingerprint
from (
  select sum(a.point_value * case
      when a.point_value <= 0 then ${DEBIT}
      when ${IS_PLAIN} then ${PLAIN_CREDIT}
      else ${CREDIT}
    end::numeric) as fingerprint,
    false as is_early
  from allotment a
  where a.bucket between $1 and $2
  union all
  select -sum(remaining * ${LOT}::numeric), false
  from lot
  where bucket between $1 and $2
  union all
  select sum(points * (${DRAW}::numeric - ${DRAWN_LOT}::numeric)), bool_or(lot_version >= by_version)
  from draw
  where bucket between $1 and $2
  union all
  select sum(o.points * (o.hash::numeric - ${CREDIT}::numeric)), false
  from allotment a
  join (
    select bucket, customer_uid, version, remaining as points, ${LOT} as hash
    from lot
    where bucket between $1 and $2
    union all
    select bucket, customer_uid, lot_version, points, ${DRAWN_LOT}
    from draw
    where bucket between $1 and $2) o on o.bucket = a.bucket and o.customer_uid = a.customer_uid and o.version = a.version
  where a.bucket between $1 and $2
    and a.point_value > 0
    and not (${IS_PLAIN})) sums
having sum(fingerprint) <> 0
  or bool_or(is_early)`;
