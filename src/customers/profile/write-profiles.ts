import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { CustomerRow } from "../customer.ts";
import { PROFILE_COLUMNS, PROFILE_ROWS, profileParams } from "./profile-params.ts";

const UPDATE = `update customer c
set email = k.email,
  name = k.name,
  name_reading = k.name_reading,
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
  birthday_set_at = case when right(c.birthday, 5) is distinct from right(k.birthday, 5) then $14 else c.birthday_set_at end   -- not for its year
from ${PROFILE_ROWS} as k (${PROFILE_COLUMNS})
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid`;

/** Writes the data of customers, each given once, whose balances are locked. */
export async function writeProfiles(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  customers: readonly CustomerRow[],
): Promise<void> {
  if (customers.length === 0) return;
  await tx.execute(UPDATE, [...profileParams(customers), deps.clock.now()]);
}
