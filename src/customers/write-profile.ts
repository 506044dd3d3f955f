import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerRow } from "./customer.ts";

const UPDATE = `update customer
set email = $3,
  name = $4,
  birthday = $5,
  accepts_marketing = $6,
  account_enabled = $7,
  tags = $8,
  member_versions = $9,
  profile_at = $10,
  consent_at = $11,
  birthday_set_at = case when birthday is distinct from $5 then $12 else birthday_set_at end
where bucket = $1
  and customer_uid = $2`;

/** Writes what is known of a customer, whose balance is locked. */
export async function writeProfile(tx: Tx, deps: Pick<Deps, "clock">, c: CustomerRow): Promise<void> {
  await tx.execute(UPDATE, [
    c.bucket,
    c.customerUid,
    c.email,
    c.name,
    c.birthday,
    c.acceptsMarketing,
    c.accountEnabled,
    c.tags,
    JSON.stringify(c.memberVersions),
    c.profileAt,
    c.consentAt,
    deps.clock.now(),
  ]);
}
