import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";

/** As many as a search looks for; its answer says how many they are, and shows the first. */
export const FOUND_MAX = 500;

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

const BY_DOMAIN = `select c.bucket,
  c.customer_uid as "customerUid"
from customer c
where c.deleted_at is null
  and c.email is not null
  and split_part(c.email, '@', 2) ~>=~ lower($1)
  and split_part(c.email, '@', 2) ~<~ lower($2)
order by split_part(c.email, '@', 2) using ~<~
limit ${FOUND_MAX}`;

const TEXT = "search_text(search_fold(c.name), c.email)";
const PLAIN_NAME = "search_plain(search_fold(c.name))";
const PLAIN_TEXT = `search_text(${PLAIN_NAME}, c.email)`;

// Names with accents, which an index of their own has without them; those that begin so first. $1 has none either. Removing accents takes
// tens of microseconds a name, so that few are looked at.
const BY_ACCENTS = `select c.bucket,
  c.customer_uid as "customerUid"
from (
  select *,
    ${PLAIN_NAME} as plain
  from customer c
  where c.deleted_at is null
    and ${PLAIN_NAME} <> search_fold(c.name)
    and cardinality(search_needs($1)) > 0
    and search_grams(${PLAIN_TEXT}) @> search_needs($1)
  limit ${FOUND_MAX}) c
where search_text(c.plain, c.email) like all (search_patterns($1))
order by not starts_with(c.plain, $1), c.plain using ~<~`;

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
  and ($3::text is null or strpos(c.email, $3) > 0)
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
  and ($2::text is null or strpos(c.email, $2) > 0)
limit ${FOUND_MAX}`;
/** With so many found among the newest, the others are not looked for. */
const NEWEST_ENOUGH = 50;

/** A gram in so large a share of all customers is common. */
const COMMON_SHARE = 0.15;

/**
 * The sources of a search, by what they look in; each takes what was typed and, but for
 * `accents`, the last text that begins with it.
 */
export const SEARCHES = { id: BY_ID, email: BY_EMAIL, name: BY_NAME, domain: BY_DOMAIN, accents: BY_ACCENTS };

// How common a pair is decides between the index and a walk that ends early: the planner has to see what was typed.
const PLAN_AS_TYPED = "set local plan_cache_mode = force_custom_plan";

/** Behind every text that begins with the one before it. */
export const LAST = "\u{10ffff}";

// A large store makes the two indexes while it runs (migration 0050); without them these sources would read the whole table.
const TYPED = `select search_fold($1) as compared,
  search_plain(search_fold($1)) as plain,
  exists (select from pg_index where indexrelid = to_regclass('customer_accents') and indisvalid) as "hasAccents",
  exists (select from pg_index where indexrelid = to_regclass('customer_email_domain') and indisvalid) as "hasDomains"`;

interface Typed {
  readonly compared: string;
  readonly plain: string;
  readonly hasAccents: boolean;
  readonly hasDomains: boolean;
}

type Source = readonly [query: string, ...parameters: string[]];

/**
 * Customers that something typed may mean, best first: whose id, the whole of an e-mail before its "@", e-mail or name begins with it
 * (the equal one comes first), then whose name or e-mail has all its words somewhere. Accents do not matter. In a snapshot of the caller's.
 */
export async function selectMatching(tx: Queryable, typed: string): Promise<CustomerRef[]> {
  const [, [text]] = await Promise.all([tx.execute(PLAN_AS_TYPED), tx.query<Typed>(TYPED, [typed])]);
  if (text === undefined) return [];
  const sources = sourcesOf(typed, text);
  const refs = await Promise.all(sources.map(([query, ...params]) => tx.query<CustomerRef>(query, params)));
  const found = new Map(refs.flat().map((ref) => [ref.customerUid, ref]));
  const isId = /^\d{4,}$/.test(typed) && found.size > 0;
  if (found.size >= FOUND_MAX || isId) return [...found.values()].slice(0, FOUND_MAX);
  for (const inside of await Promise.all(insideOf(typed, text).map((one) => selectInside(tx, one)))) {
    for (const ref of inside) found.set(ref.customerUid, ref);
  }
  return [...found.values()].slice(0, FOUND_MAX);
}

/** What begins with the typed text, best first. */
function sourcesOf(typed: string, { compared, plain, hasAccents, hasDomains }: Typed): readonly Source[] {
  const domain = typed.replace(/^@/, "");
  const isDomain = hasDomains && domain !== "" && !domain.includes("@") && (domain !== typed || /\w\.\w/.test(typed));
  const isName = hasAccents && !typed.includes("@");
  return [
    [BY_ID, typed, typed + LAST],
    ...(typed.includes("@") ? [] : [[BY_EMAIL, `${typed}@`, `${typed}@${LAST}`] as const]),
    [BY_EMAIL, typed, typed + LAST],
    [BY_NAME, typed, typed + LAST],
    ...(isName && plain !== compared ? [[BY_NAME, plain, plain + LAST] as const] : []),
    ...(isName ? [[BY_ACCENTS, plain] as const] : []),
    ...(isDomain ? [[BY_DOMAIN, domain, domain + LAST] as const] : []),
  ];
}

/** Words to look for anywhere; `email` has to be somewhere in the e-mail, too. */
interface Inside {
  readonly words: string;
  readonly email: string | null;
}

/** With an "@" it is a part of an e-mail: `21@`, `ada@shop`. What stands before is looked for by the pairs of characters. */
function insideOf(typed: string, { compared, plain, hasAccents }: Typed): readonly Inside[] {
  const [local = ""] = typed.split("@", 1);
  if (typed.includes("@")) return local === "" ? [] : [{ words: local, email: typed.toLowerCase() }];
  const asTyped = { words: typed, email: null };
  return hasAccents && plain !== compared ? [asTyped, { words: plain, email: null }] : [asTyped];
}

/** Customers whose name or e-mail has every word somewhere. */
async function selectInside(tx: Queryable, { words, email }: Inside): Promise<CustomerRef[]> {
  const grams = await tx.query<{ gram: string; share: number }>(RAREST, [words]);
  const [rarest] = grams;
  if (rarest === undefined) return [];
  if (rarest.share >= COMMON_SHARE) {
    const newest = await tx.query<CustomerRef>(AMONG_NEWEST, [words, email]);
    if (newest.length >= NEWEST_ENOUGH) return newest;
  }
  return tx.query<CustomerRef>(INSIDE, [words, grams.map(({ gram }) => gram), email]);
}
