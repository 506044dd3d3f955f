import type { Tx } from "../../db/pool.ts";
import type { ImportLease } from "../lease-queries.ts";
import { LOCK_CHECKED } from "../step-queries.ts";

const FIND_HELD = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'`;

// The first row with an e-mail is valid; rows that give it to another customer are not. One statement does this and counts, so that a check that was
// killed has done both or neither. Rows are deleted by their place in the table: right after they were written the planner knows nothing of this
// import, and takes it for one row. It then compared every row of the file with every other one, which took minutes with 20,000 rows. On a Citus each
// shard has the same places, so the row's key is compared too.
/** Its parameter is the uid of the import. */
export const DROP_REPEATED_EMAILS = `with stated as (
  select p.ctid as place,
    p.bucket,
    p.n,
    p.profile ->> 'email' as email,
    coalesce(a.customer_uid::text, p.storefront_id) as who
  from import_profile p
  left join customer_alias a on a.storefront_id = p.storefront_id
  where p.import_uid = $1
    and p.profile ->> 'email' is not null),
placed as (
  select s.*,
    first_value(s.who) over (partition by s.email order by s.n) as first_who
  from stated s),
repeated as materialized (
  select k.place,
    k.bucket,
    k.n,
    k.email
  from placed k
  where k.who <> k.first_who),
dropped as (
  delete from import_profile p
  using repeated k
  where p.ctid = k.place
    and p.bucket = k.bucket
    and p.n = k.n
  returning p.n,
    p.line,
    k.email),
reported as (
  insert into import_fault (import_uid, phase, n, line, code, member, value)
  select $1, 'check', d.n, d.line, 'email_repeated', 'email', left(d.email, 100)
  from dropped d)
update import_step s
set good_count = s.good_count - d.count
from (select count(*) as count from dropped) d
where s.import_uid = $1
  and s.phase = 'check'
  and s.n = 0`;

/** After all rows are checked, removes rows whose e-mail an earlier row gives to another customer. */
export async function dropRepeatedEmails(
  tx: Tx,
  { uid, leaseUid }: Pick<ImportLease, "uid" | "leaseUid">,
): Promise<void> {
  await tx.execute(LOCK_CHECKED, [uid]);
  if ((await tx.query(FIND_HELD, [uid, leaseUid])).length === 0) return;
  await tx.execute(DROP_REPEATED_EMAILS, [uid]);
}
