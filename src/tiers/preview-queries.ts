import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { SpendWindow } from "./check-dates.ts";
import { SPENDS } from "./evaluation-queries.ts";
import type { Prospect } from "./tier-preview.ts";
import { spendSum } from "./tier-queries.ts";

const PROSPECTS = `select coalesce(s.bucket, t.bucket) as bucket,
  coalesce(s.customer_uid, t.customer_uid) as "customerUid",
  ${spendSum("s.a")} as spent,
  ${spendSum("s.b")} as "spentBefore",
  ${spendSum("s.c")} as "spentToCheckBefore",
  ${spendSum("s.d")} as "spentToCheckAfter",
  t.tier_uid as "tierUid",
  t.minimum_tier_uid as "minimumTierUid",
  coalesce(t.skip_next_check, false) as "skipNextCheck",
  case when t.kept_until > $12 then t.kept_tier_uid end as "keptTierUid",
  false as "isSkipLater",
  false as "isPlacedLater"
from (
  select o.bucket,
    o.customer_uid,
    sum(o.spend_minor) filter (where o.credited_at >= $4 and o.credited_at < $5) as a,
    sum(o.spend_minor) filter (where o.credited_at >= $6 and o.credited_at < $7) as b,
    sum(o.spend_minor) filter (where o.credited_at >= $8 and o.credited_at < $9) as c,
    sum(o.spend_minor) filter (where o.credited_at >= $10 and o.credited_at < $11) as d
  from (${SPENDS}) o
  where o.bucket >= $1
    and o.bucket < $2
    and o.credited_at >= least($4::timestamptz, $6::timestamptz, $8::timestamptz, $10::timestamptz)
    and o.credited_at < greatest($5::timestamptz, $7::timestamptz, $9::timestamptz, $11::timestamptz)
  group by o.bucket, o.customer_uid) s
full join (
  select *
  from customer_tier
  where bucket >= $1
    and bucket < $2) t on t.bucket = s.bucket and t.customer_uid = s.customer_uid
join customer k on k.bucket = coalesce(s.bucket, t.bucket) and k.customer_uid = coalesce(s.customer_uid, t.customer_uid)
where k.deleted_at is null
  and (t.tier_uid is not null or t.skip_next_check or greatest(s.a, s.b, s.c, s.d) >= $3)
order by 1, 2`;

const COUNT_CUSTOMERS = `select count(*) as customers
from customer
where deleted_at is null`;

const STOREFRONT_IDS = `select c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId"
from customer c
where (c.bucket, c.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

/** Returns all customers in a range of buckets whom a change of the program could move; `windows` as `Prospect` names its spends. */
export function selectProspects(
  queryable: Queryable,
  slice: {
    readonly from: number;
    readonly to: number;
    readonly windows: readonly [SpendWindow, SpendWindow, SpendWindow, SpendWindow];
    readonly leastSpend: bigint;
    /** A tier that is kept beyond this instant counts as a floor. */
    readonly at: Temporal.Instant;
  },
): Promise<Prospect[]> {
  const edges = slice.windows.flatMap(({ start, end }) => [start, end]);
  return queryable.query<Prospect>(PROSPECTS, [slice.from, slice.to, slice.leastSpend, ...edges, slice.at]);
}

/** Returns the number of customers, without deleted ones. */
export async function countCustomers(queryable: Queryable): Promise<number> {
  const rows = await queryable.query<{ customers: bigint }>(COUNT_CUSTOMERS);
  return Number(rows[0]?.customers ?? 0n);
}

/** Returns the storefront ids of customers, by customer uid. */
export async function selectStorefrontIds(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<Map<string, string>> {
  const keys = refKeys(customers);
  const rows = await queryable.query<{ customerUid: string; storefrontId: string }>(STOREFRONT_IDS, keys);
  return new Map(rows.map(({ customerUid, storefrontId }) => [customerUid, storefrontId]));
}
