import type { Deps } from "../../deps.ts";
import type { TierRule } from "../../program/program.ts";
import { defaultTier } from "../../tiers/tier-rules.ts";

// Of several rows of a customer, the last one with a tier decides. A row without a tier, or with one that was deleted meanwhile, moves
// nobody. Nor does a row of a customer who was merged or deleted since the check.
const COUNT = `select count(*) filter (where k.after > k.before) as raised,
  count(*) filter (where k.after < k.before) as lowered,
  count(*) filter (where k.after = k.before) as unchanged
from (
  select coalesce(array_position($2::uuid[], t.tier_uid), $3) as before,
    coalesce(array_position($2::uuid[], w.tier_uid), array_position($2::uuid[], t.tier_uid), $3) as after
  from (
    select distinct on (r.bucket, r.customer_uid) r.bucket,
      r.customer_uid,
      r.tier_uid
    from import_row r
    join customer c on c.bucket = r.bucket and c.customer_uid = r.customer_uid
    where r.import_uid = $1
      and c.deleted_at is null
    order by r.bucket, r.customer_uid, r.tier_uid is null, r.n desc) w
  left join customer_tier t on t.bucket = w.bucket and t.customer_uid = w.customer_uid) k`;

/** How many customers the valid rows of a file of tiers would move to a higher tier, to a lower one, or leave in theirs. */
export interface TierMoves {
  readonly raised: bigint;
  readonly lowered: bigint;
  readonly unchanged: bigint;
}

/** Counts the moves of a checked file of tiers, compared with the tiers that its customers have now. */
export async function countTierMoves(
  deps: Pick<Deps, "db">,
  uid: string,
  rules: readonly TierRule[],
): Promise<TierMoves> {
  const uids = rules.map((rule) => rule.uid);
  const [moves] = await deps.db.query<TierMoves>(COUNT, [uid, uids, rules.indexOf(defaultTier(rules)) + 1]);
  if (moves === undefined) throw new Error("a count has no row");
  return moves;
}
