import type { Tx } from "../db/pool.ts";
import { IS_MEMBER_ID, isMemberId } from "./member-id.ts";

/** A member who was known only by e-mail, and the customer who has the address; both by storefront id. */
export interface MemberClaim {
  readonly memberId: string;
  readonly customerId: string;
}

// In a fixed order, so that no two transactions deadlock.
const LOCK = `select pg_advisory_xact_lock(k.hash)
from (
  select distinct hashtextextended('member/' || email, 0) as hash
  from unnest($1::text[]) email
  order by 1) k`;

const TAKE = `delete from member_claim
where member_id = (
  select member_id
  from member_claim
  where member_id <> all($1::text[])
  order by claimed_at, member_id
  limit 1
  for update skip locked)
returning member_id as "memberId", customer_id as "customerId"`;

/** Lets only one transaction at a time create or change customers with one of these addresses (lower case), until it ends. */
export async function lockEmails(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.execute(LOCK, [emails]);
}

const CLAIMED = `select 1
from customer c
where c.email = $1
  and c.deleted_at is null
  and (c.storefront_id ${IS_MEMBER_ID}) <> $2
limit 1`;

/**
 * Whether a customer who gets an address (lower case) would be merged with its present holder: if one is a member known only by e-mail and
 * the other a customer of the platform. Call it under `lockEmails`.
 */
export async function joinsHolder(tx: Tx, email: string, storefrontId: string): Promise<boolean> {
  return (await tx.query(CLAIMED, [email, isMemberId(storefrontId)])).length > 0;
}

export const JOINS_HOLDER =
  "the present holder of this address would be merged with this customer: merge the two by hand instead";

/**
 * Removes the oldest claim, except those of the given members and those that another node has taken, in the transaction that merges both;
 * undefined: there is none.
 */
export async function takeClaim(tx: Tx, exceptIds: readonly string[]): Promise<MemberClaim | undefined> {
  const [claim] = await tx.query<MemberClaim>(TAKE, [exceptIds]);
  return claim;
}
