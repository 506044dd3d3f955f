import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";

/** As many as one answer shows: who typed so little types on. */
export const FOUND_MAX = 50;

// Each source stops at its limit, so that what everybody shares ("a", ".com") costs no more than a rare name.
const BY_ID = `select a.bucket,
  a.customer_uid as "customerUid"
from customer_alias a
where a.storefront_id ~>=~ $1
  and a.storefront_id ~<~ $2
order by a.storefront_id using ~<~
limit ${FOUND_MAX}`;

const BY_EMAIL = `select c.bucket,
  c.customer_uid as "customerUid"
from customer c
where c.email ~>=~ lower($1)
  and c.email ~<~ lower($2)
order by c.email using ~<~
limit ${FOUND_MAX}`;

const BY_NAME = `select c.bucket,
  c.customer_uid as "customerUid"
from customer c
where c.name is not null
  and search_fold(c.name) ~>=~ search_fold($1)
  and search_fold(c.name) ~<~ search_fold($2)
order by search_fold(c.name) using ~<~
limit ${FOUND_MAX}`;

const TEXT = "search_text(search_fold(c.name), c.email)";

// What of it the index can tell apart best: grams that the statistics do not know are rare.
const RAREST = `select gram,
  coalesce(common.share, 0) as share
from (
  select distinct gram
  from unnest(search_needs(search_fold($1))) gram) needed
left join (
  select unnest(most_common_elems::text::text[]) as gram,
    unnest(most_common_elem_freqs) as share
  from pg_stats
  where schemaname = current_schema()
    and tablename = 'customer_grams') common using (gram)
order by 2, 1
limit 3`;

// The index answers who has the grams; the words themselves are looked for in those, and never in so many that it takes long.
const INSIDE = `select c.bucket,
  c.customer_uid as "customerUid"
from (
  select *
  from customer c
  where c.deleted_at is null
    and search_grams(${TEXT}) @> $2::text[]
  limit 2000) c
where ${TEXT} like all (search_patterns(search_fold($1)))
limit ${FOUND_MAX}`;

// What so many share is found among the newest without the index, whose answer would name them all.
const AMONG_NEWEST = `select c.bucket,
  c.customer_uid as "customerUid"
from (
  select *
  from customer
  where deleted_at is null
  order by created_at desc, customer_uid desc
  limit 400) c
where ${TEXT} like all (search_patterns(search_fold($1)))
limit ${FOUND_MAX}`;

/** A gram in so large a share of all customers is common. */
const COMMON_SHARE = 0.15;

/** The sources of a search, by what they look in; each takes what was typed and the last text that begins with it. */
export const SEARCHES = { id: BY_ID, email: BY_EMAIL, name: BY_NAME };

// How common a pair is decides between the index and a walk that ends early: the planner has to see what was typed.
const PLAN_AS_TYPED = "set local plan_cache_mode = force_custom_plan";

/** Behind every text that begins with the one before it. */
export const LAST = "\u{10ffff}";

/**
 * Customers that something typed may mean, best first: whose id, e-mail or name begins with it (the equal one comes first), then
 * whose name or e-mail has all its words somewhere. In a snapshot of the caller's.
 */
export async function selectMatching(tx: Queryable, typed: string): Promise<CustomerRef[]> {
  const prefix = [typed, typed + LAST];
  const [, ...sources] = await Promise.all([
    tx.execute(PLAN_AS_TYPED),
    tx.query<CustomerRef>(BY_ID, prefix),
    tx.query<CustomerRef>(BY_EMAIL, prefix),
    tx.query<CustomerRef>(BY_NAME, prefix),
  ]);
  const found = new Map(sources.flat().map((ref) => [ref.customerUid, ref]));
  const isId = /^\d{4,}$/.test(typed) && found.size > 0;
  if (found.size >= FOUND_MAX || typed.includes("@") || isId) return [...found.values()];
  for (const ref of await selectInside(tx, typed)) found.set(ref.customerUid, ref);
  return [...found.values()];
}

/** Customers whose name or e-mail has every word that was typed somewhere. */
async function selectInside(tx: Queryable, typed: string): Promise<CustomerRef[]> {
  const grams = await tx.query<{ gram: string; share: number }>(RAREST, [typed]);
  const [rarest] = grams;
  if (rarest === undefined) return [];
  if (rarest.share >= COMMON_SHARE) {
    const newest = await tx.query<CustomerRef>(AMONG_NEWEST, [typed]);
    if (newest.length === FOUND_MAX) return newest;
  }
  return tx.query<CustomerRef>(INSIDE, [typed, grams.map(({ gram }) => gram)]);
}
