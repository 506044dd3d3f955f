import type { Tx } from "../db/pool.ts";
import type { CustomerRow } from "./customer.ts";
import { PROFILE_COLUMNS, PROFILE_ROWS, profileParams } from "./profile/profile-params.ts";

const INSERT = `insert into customer (${PROFILE_COLUMNS}, birthday_set_at, created_at, storefront_id)
select k.bucket,
  k.customer_uid,
  k.email,
  k.name,
  k.birthday,
  k.accepts_marketing,
  k.account_enabled,
  case when k.tags is not null then array(select jsonb_array_elements_text(k.tags::jsonb)) end,
  k.member_versions::jsonb,
  k.profile_at,
  k.consent_at,
  k.locale,
  k.name_reading,
  case when k.birthday is not null then k.created_at end,
  k.created_at,
  k.storefront_id
from rows from (${PROFILE_ROWS}, unnest($14::timestamptz[], $15::text[])) as k (${PROFILE_COLUMNS}, created_at, storefront_id)`;

/** Inserts customers whose ids and balances exist, with all known data, so that each row and index entry is written only once. */
export async function insertCustomers(tx: Tx, customers: readonly CustomerRow[]): Promise<void> {
  if (customers.length === 0) return;
  await tx.execute(INSERT, [
    ...profileParams(customers),
    customers.map(({ createdAt }) => createdAt),
    customers.map(({ storefrontId }) => storefrontId),
  ]);
}
