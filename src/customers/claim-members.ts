import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockEmails } from "./claim-queries.ts";
import { IS_MEMBER_ID } from "./member-id.ts";

// `offset 0`: use only the index of e-mails, as in `selectByEmails`
const CLAIM = `insert into member_claim (member_id, customer_id, claimed_at)
select m.storefront_id, h.storefront_id, $2
from unnest($1::text[]) as k (email)
cross join lateral (
  select f.storefront_id, f.deleted_at
  from customer f
  where f.email = k.email
  offset 0) m
cross join lateral (
  select c.storefront_id
  from (
    select f.storefront_id, f.deleted_at, f.created_at, f.customer_uid
    from customer f
    where f.email = k.email
    offset 0) c
  where c.deleted_at is null
    and c.storefront_id not ${IS_MEMBER_ID}
  order by c.created_at, c.customer_uid
  limit 1) h
where m.storefront_id ${IS_MEMBER_ID}
  and m.deleted_at is null
on conflict (member_id) do nothing`;

/**
 * Records which members, known only by e-mail, have appeared as customers with that address; `intake/merge-claimed-members` merges both.
 * Call it after the addresses were written, in the same transaction: of two transactions that write the member and the customer, the second
 * sees the first one's.
 */
export async function claimMembers(tx: Tx, deps: Pick<Deps, "clock">, emails: readonly string[]): Promise<void> {
  const texts = [...new Set(emails)];
  if (texts.length === 0) return;
  await lockEmails(tx, texts);
  await tx.execute(CLAIM, [texts, deps.clock.now()]);
}
