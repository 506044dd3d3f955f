import type { Tx } from "../db/pool.ts";
import { dropEmptyBalances } from "../ledger/balance-queries.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { OWNS_NOTHING } from "./owns-nothing.ts";

// Files that are being imported are checked one by one: reading the rows of all of them, by bucket, took most of the time. A file of another app that
// only found somebody keeps nobody.
const SELECT_UNTOUCHED = `with running as materialized (
  select i.uid
  from import i
  where i.state in ('checking', 'checked', 'importing', 'undoing')
    and i.kind <> 'move')
select c.bucket,
  c.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
where c.deleted_at is null
  and c.member_versions = '{}'
  and c.profile_at is null
  and c.consent_at is null
  and c.tags is null
  and ${OWNS_NOTHING}
  and not exists (select from customer_tier t where t.bucket = c.bucket and t.customer_uid = c.customer_uid)
  and not exists (
    select
    from running i
    cross join lateral (
      select
      from import_row r
      where r.import_uid = i.uid
        and r.bucket = c.bucket
        and r.customer_uid = c.customer_uid
      limit 1) r)`;

const DROP_ALIASES = `delete from customer_alias a
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where a.bucket = k.bucket
  and a.customer_uid = k.customer_uid`;

const DROP_CUSTOMERS = `delete from customer c
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where c.bucket = k.bucket
  and c.customer_uid = k.customer_uid`;

/**
 * Removes customers for whom nothing has happened since they were created, with their ids: unlike a deleted customer's id, such an id can
 * be used again by its real owner. Their balances must be locked. Returns the uids of the removed customers; the others stay.
 */
export async function removeUntouched(tx: Tx, refs: readonly CustomerRef[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const untouched = await tx.query<CustomerRef>(SELECT_UNTOUCHED, refKeys(refs));
  const dropped = await dropEmptyBalances(tx, untouched);
  await Promise.all([tx.execute(DROP_ALIASES, refKeys(dropped)), tx.execute(DROP_CUSTOMERS, refKeys(dropped))]);
  return new Set(dropped.map(({ customerUid }) => customerUid));
}
