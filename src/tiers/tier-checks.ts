import type { LedgerCheck } from "../ledger/verify/ledger-checks.ts";

/**
 * The checks that `pointkeeper verify` runs on tiers. The order of changes is not compared: a tier check that is made late writes them with the time
 * at which it was due.
 */
export const TIER_CHECKS: readonly LedgerCheck[] = [
  {
    name: "tiers",
    says: "a customer's tier is one to which a recorded change led, or a default tier",
    text: `select t.customer_uid, format('the tier is %s, into which no change of tier led', t.tier_uid) as found
from customer_tier t
where t.bucket between $1 and $2
  and t.tier_uid is not null
  and not exists (
    select
    from tier_change h
    where h.bucket = t.bucket
      and h.customer_uid = t.customer_uid
      and h.to_uid = t.tier_uid)
  and t.tier_uid::text not in (
    select r ->> 'uid'
    from program_version v
    cross join lateral json_array_elements(v.document #> '{tiers,rules}') r
    where r ->> 'default' = 'true')`,
  },
];
