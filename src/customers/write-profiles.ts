import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRow } from "./customer.ts";

// An array of sets of tags would have to be a rectangle: each comes as JSON.
const UPDATE = `update customer c
set email = k.email,
  name = k.name,
  birthday = k.birthday,
  accepts_marketing = k.accepts_marketing,
  account_enabled = k.account_enabled,
  locale = k.locale,
  tags = case when k.tags is not null then array(select jsonb_array_elements_text(k.tags::jsonb)) end,
  member_versions = k.member_versions::jsonb,
  profile_at = k.profile_at,
  consent_at = k.consent_at,
  unsubscribed_at = case
    when k.accepts_marketing and k.consent_at > c.unsubscribed_at then null   -- consented anew
    else c.unsubscribed_at
  end,
  birthday_set_at = case when c.birthday is distinct from k.birthday then $13 else c.birthday_set_at end
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::text[],
  $9::text[], $10::timestamptz[], $11::timestamptz[], $12::text[])
  as k (bucket, customer_uid, email, name, birthday, accepts_marketing, account_enabled, tags,
    member_versions, profile_at, consent_at, locale)
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid`;

/** Writes what is known of customers, each given once, whose balances are locked. */
export async function writeProfiles(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  customers: readonly CustomerRow[],
): Promise<void> {
  if (customers.length === 0) return;
  await tx.execute(UPDATE, [
    customers.map((c) => c.bucket),
    customers.map((c) => c.customerUid),
    customers.map((c) => c.email),
    customers.map((c) => c.name),
    customers.map((c) => c.birthday),
    customers.map((c) => c.acceptsMarketing),
    customers.map((c) => c.accountEnabled),
    customers.map((c) => (c.tags === null ? null : JSON.stringify(c.tags))),
    customers.map((c) => JSON.stringify(c.fieldVersions)),
    customers.map((c) => c.profileAt),
    customers.map((c) => c.consentAt),
    customers.map((c) => c.locale),
    deps.clock.now(),
  ]);
}
