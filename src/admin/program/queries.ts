import type { Queryable } from "../../db/pool.ts";
import { type CustomerRef, refKeys } from "../../ledger/customer-ref.ts";
import type { ProgramDocument } from "../../program/program-schema.ts";
import type { ExpiringLot } from "./expiry-effect.ts";

export interface VersionRow {
  version: number;
  document: ProgramDocument;
  author: string;
  createdAt: Temporal.Instant;
  /** From when it applies to orders; null: for all time. */
  validFrom: Temporal.Instant | null;
  /** The person who approved the author's request; null: none was needed. */
  approvedBy: string | null;
}

/** A customer as a list names them. */
export interface NamedMover {
  bucket: number;
  customerUid: string;
  storefrontId: string;
  name: string | null;
  email: string | null;
}

const VERSIONS = `
select v.version,
       v.document,
       v.author,
       v.created_at as "createdAt",
       v.valid_from as "validFrom",
       r.decided_name as "approvedBy"
from program_version v
left join adjustment_request r on r.program_version = v.version
where v.version <= $1
order by v.version desc
limit $2`;

/** SQL for the quarter of a time, as in `ExpiringLot`. */
const quarterOf = (time: string) =>
  `floor(extract(epoch from ${time}) / 900)::integer + ceil(extract(epoch from ${time}) / 900)::integer`;

const DATED_LOTS = `
select l.customer_uid as "customerUid",
       l.remaining,
       case when l.expires_at < 'infinity' then ${quarterOf("l.expires_at")} end as "expiresIn",
       ${quarterOf("l.since")} as "sinceIn",
       ${quarterOf("b.active_at")} as "activeIn"
from lot l
join balance b on b.bucket = l.bucket and b.customer_uid = l.customer_uid
where l.bucket >= $1
and l.bucket < $2
order by l.bucket, l.customer_uid`;

const TIER_MEMBERS = `
select t.tier_uid as "tierUid",
       count(*) as customers
from customer_tier t
where t.tier_uid is not null
and not exists (
  select from customer c
  where c.bucket = t.bucket and c.customer_uid = t.customer_uid and c.deleted_at is not null)
group by t.tier_uid`;

const NAMED_CUSTOMERS = `
select bucket,
       customer_uid as "customerUid",
       storefront_id as "storefrontId",
       name,
       email
from customer
where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

const VERSION_MAX = 2_147_483_647;

/** Returns versions of the program from one downwards, newest first; null: from the newest. */
export async function selectVersions(queryable: Queryable, from: number | null, limit: number): Promise<VersionRow[]> {
  return await queryable.query<VersionRow>(VERSIONS, [from ?? VERSION_MAX, limit]);
}

/** Returns every lot of a range of buckets with its balance's activity, the lots of a balance together. */
export async function selectDatedLots(
  queryable: Queryable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ExpiringLot[]> {
  return await queryable.query<ExpiringLot>(DATED_LOTS, [from, to]);
}

/** Returns how many customers were placed in each tier, without deleted ones; customers without a row have the default tier. */
export async function selectTierMembers(queryable: Queryable): Promise<{ tierUid: string; customers: bigint }[]> {
  return await queryable.query<{ tierUid: string; customers: bigint }>(TIER_MEMBERS);
}

export async function selectNamedCustomers(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<NamedMover[]> {
  const keys = refKeys(customers);
  return await queryable.query<NamedMover>(NAMED_CUSTOMERS, keys);
}
