import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { CustomerRow } from "./customer.ts";

const COLUMNS = `c.bucket,
  c.customer_uid as "customerUid",
  c.storefront_id as "storefrontId",
  c.email,
  c.name,
  c.name_reading as "nameReading",
  c.birthday,
  c.accepts_marketing as "acceptsMarketing",
  c.account_enabled as "accountEnabled",
  c.locale,
  c.tags,
  c.member_versions as "fieldVersions",
  c.profile_at as "profileAt",
  c.consent_at as "consentAt",
  c.unsubscribed_at as "unsubscribedAt",
  c.deleted_at as "deletedAt",
  c.created_at as "createdAt"`;

const BY_REF = `select ${COLUMNS}
from customer c
where c.bucket = $1
  and c.customer_uid = $2`;

const BY_STOREFRONT_ID = `select ${COLUMNS}
from customer_alias a
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid
where a.storefront_id = $1`;

const BY_STOREFRONT_IDS = `select k.storefront_id as "named",
  ${COLUMNS}
from unnest($1::text[]) as k (storefront_id)
join customer_alias a on a.storefront_id = k.storefront_id
join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid`;

// Two rows are enough to know that an e-mail is ambiguous.
const BY_EMAIL = `select ${COLUMNS}
from customer c
where c.email = $1
  and c.deleted_at is null
limit 2`;

// `offset 0`: each is found only by the index of e-mails. A plan made while the table was small would read all customers for each e-mail.
const BY_EMAILS = `select h.*
from unnest($1::text[]) as k (email)
cross join lateral (
  select ${COLUMNS}
  from (
    select *
    from customer f
    where f.email = k.email
    offset 0) c
  where c.deleted_at is null
  limit 2) h`;

const MERGED = `select ${COLUMNS}
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid
order by c.deleted_at, c.customer_uid`;

/** Returns the rows of some customers; those deleted or merged first come first. */
export function selectCustomers(queryable: Queryable, refs: readonly CustomerRef[]): Promise<CustomerRow[]> {
  const keys = refKeys(refs);
  return queryable.query<CustomerRow>(MERGED, keys);
}

/** Returns the customer with a key. */
export async function selectCustomer(queryable: Queryable, ref: CustomerRef): Promise<CustomerRow | undefined> {
  const rows = await queryable.query<CustomerRow>(BY_REF, [ref.bucket, ref.customerUid]);
  return rows[0];
}

/** Returns the customer of a storefront id, deleted or not. */
export async function selectByStorefrontId(
  queryable: Queryable,
  storefrontId: string,
): Promise<CustomerRow | undefined> {
  const rows = await queryable.query<CustomerRow>(BY_STOREFRONT_ID, [storefrontId]);
  return rows[0];
}

/** Returns the customers of some storefront ids, each named once, deleted or not, by id; unknown ids are missing. */
export async function selectByStorefrontIds(
  queryable: Queryable,
  storefrontIds: readonly string[],
): Promise<Map<string, CustomerRow>> {
  if (storefrontIds.length === 0) return new Map();
  const rows = await queryable.query<CustomerRow & { named: string }>(BY_STOREFRONT_IDS, [storefrontIds]);
  return new Map(rows.map(({ named, ...row }) => [named, row]));
}

/** Returns at most two customers with an e-mail, given in lower case. */
export function selectByEmail(queryable: Queryable, email: string): Promise<CustomerRow[]> {
  return queryable.query<CustomerRow>(BY_EMAIL, [email]);
}

/**
 * Returns the customers that a text names (program.md 1): by storefront id, or by e-mail in any case if it has an "@". Ids are opaque, and
 * a script's ids may be e-mails: the text is then ambiguous if somebody else has it as an e-mail. A deleted customer is found only by id.
 */
export async function selectNamed(queryable: Queryable, text: string): Promise<CustomerRow[]> {
  const byId = await selectByStorefrontId(queryable, text);
  const byEmail = text.includes("@") ? await selectByEmail(queryable, text.toLowerCase()) : [];
  const isOther = byId !== undefined && byEmail.every(({ customerUid }) => customerUid !== byId.customerUid);
  return isOther && (byId.deletedAt === null || byEmail.length === 0) ? [...byEmail, byId] : byEmail;
}

/** Returns the customers with some e-mails, given in lower case, each once: at most two for each e-mail. */
export async function selectByEmails(
  queryable: Queryable,
  emails: readonly string[],
): Promise<ReadonlyMap<string | null, readonly CustomerRow[]>> {
  if (emails.length === 0) return new Map();
  return Map.groupBy(await queryable.query<CustomerRow>(BY_EMAILS, [emails]), ({ email }) => email);
}

const AWAITING = `select k.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where exists (
  select
  from store_order o
  where o.bucket = k.bucket
    and o.customer_uid = k.customer_uid
    and o.due_at is not null
    and o.awardable_points > o.awarded_points)`;

/** Returns the uids of those customers who have an order that gives points later. */
export async function selectAwaiting(queryable: Queryable, refs: readonly CustomerRef[]): Promise<ReadonlySet<string>> {
  const rows = await queryable.query<{ customerUid: string }>(AWAITING, refKeys(refs));
  return new Set(rows.map(({ customerUid }) => customerUid));
}
