import type { Queryable } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";

/** The maximum number of customers that a search finds. The answer contains their number and the first of them. */
export const FOUND_MAX = 500;

// Each source stops at its limit, so that a common text ("a", ".com") costs no more than a rare name.
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

// Names with accents. A separate index has them without accents, like $1; names that begin with $1 come first. Removing accents takes tens of
// microseconds per name, so that only a few are compared.
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

const READING = "search_fold(c.name_reading)";
const READING_TEXT = `search_text(${READING}, null)`;

const BY_READING_START = `select c.bucket,
  c.customer_uid as "customerUid"
from customer c
where c.deleted_at is null
  and c.name_reading is not null
  and ${READING} ~>=~ search_fold($1)
  and ${READING} ~<~ search_fold($2)
order by ${READING} using ~<~
limit ${FOUND_MAX}`;

// Readings of names have an index of their own. Of more than 500 with the characters of $1 any are compared; of these, those that begin with $1
// come first.
const BY_READING = `select c.bucket,
  c.customer_uid as "customerUid"
from (
  select *,
    ${READING} as reading
  from customer c
  where c.deleted_at is null
    and c.name_reading is not null
    and cardinality(search_needs($1)) > 0
    and search_grams(${READING_TEXT}) @> search_needs($1)
  limit ${FOUND_MAX}) c
where search_text(c.reading, null) like all (search_patterns($1))
order by not starts_with(c.reading, $1), c.reading using ~<~`;

// The grams of the text that the index can distinguish best: a gram that is not in the statistics is rare.
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

// The index finds the customers who have the grams. The words themselves are searched in at most 2000 of them, which limits the time.
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

// A common text is searched among the newest customers without the index, which would return all who have it.
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
/** If this many are found among the newest, the search ends there. */
const NEWEST_ENOUGH = 50;

/** A gram that this share of all customers has is common. */
const COMMON_SHARE = 0.15;

/** The sources of a search, by what they search. Each takes the search text and, except for `accents` and `reading`, the last text that begins with it. */
export const SEARCHES = {
  id: BY_ID,
  email: BY_EMAIL,
  name: BY_NAME,
  domain: BY_DOMAIN,
  accents: BY_ACCENTS,
  readingStart: BY_READING_START,
  reading: BY_READING,
};

// The planner has to see the text: how common a pair is decides between the index and a scan that ends early.
const PLAN_AS_TYPED = "set local plan_cache_mode = force_custom_plan";

/** Appended to a text, it sorts after every text that begins with that text. */
export const LAST = "\u{10ffff}";

// A large store builds these indexes while it runs (migrations 0050, 0095 and 0096); without them these sources would read the whole table.
const TYPED = `select search_fold($1) as compared,
  search_plain(search_fold($1)) as plain,
  exists (select from pg_index where indexrelid = to_regclass('customer_accents') and indisvalid) as "hasAccents",
  exists (select from pg_index where indexrelid = to_regclass('customer_email_domain') and indisvalid) as "hasDomains",
  exists (select from pg_index where indexrelid = to_regclass('customer_readings') and indisvalid) as "hasReadings",
  exists (select from pg_index where indexrelid = to_regclass('customer_reading_prefix') and indisvalid) as "hasReadingStarts"`;

interface Typed {
  readonly compared: string;
  readonly plain: string;
  readonly hasAccents: boolean;
  readonly hasDomains: boolean;
  readonly hasReadings: boolean;
  readonly hasReadingStarts: boolean;
}

type Source = readonly [query: string, ...parameters: string[]];

/**
 * Returns customers that match a text, best match first: those whose id, local part of the e-mail, e-mail or name begins with it (an exact match
 * first), then those whose name or e-mail contains its words, then those whose reading of the name begins with it or contains them. Readings come last,
 * because many of them contain a short text. Accents are ignored. Call it in a snapshot.
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
  for (const [query, ...params] of readingsOf(typed, text)) {
    if (found.size >= FOUND_MAX) break;
    for (const ref of await tx.query<CustomerRef>(query, params)) found.set(ref.customerUid, ref);
  }
  return [...found.values()].slice(0, FOUND_MAX);
}

/** Returns the searches for a prefix, best match first. */
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

/** Returns the searches in readings of names, best match first. */
function readingsOf(typed: string, { compared, hasReadings, hasReadingStarts }: Typed): readonly Source[] {
  if (typed.includes("@")) return [];
  return [
    ...(hasReadingStarts ? [[BY_READING_START, typed, typed + LAST] as const] : []),
    ...(hasReadings ? [[BY_READING, compared] as const] : []),
  ];
}

/** Words to find anywhere; `email` must be contained in the e-mail as well. */
interface Inside {
  readonly words: string;
  readonly email: string | null;
}

/** A text with an "@" is a part of an e-mail: `21@`, `ada@shop`. The part before the "@" is found by its pairs of characters. */
function insideOf(typed: string, { compared, plain, hasAccents }: Typed): readonly Inside[] {
  const [local = ""] = typed.split("@", 1);
  if (typed.includes("@")) return local === "" ? [] : [{ words: local, email: typed.toLowerCase() }];
  const asTyped = { words: typed, email: null };
  return hasAccents && plain !== compared ? [asTyped, { words: plain, email: null }] : [asTyped];
}

/** Returns customers whose name or e-mail contains every word. */
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
