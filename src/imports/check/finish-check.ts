import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { ImportLease } from "../lease-queries.ts";
import type { ProfileCounts } from "./count-profiles.ts";

const LOCK = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'
for no key update of i`;

const WARN_REPEATED = `insert into import_fault (import_uid, phase, n, line, code, member, value)
select $1, 'warning', w.n, w.line, 'customer_repeated', 'customer', c.storefront_id
from (
  select r.n,
    r.line,
    r.bucket,
    r.customer_uid,
    row_number() over (partition by r.bucket, r.customer_uid order by r.n) as place
  from import_row r
  where r.import_uid = $1) w
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid
where w.place > 1
on conflict do nothing`;

// Rows of one customer may have different ids if one was merged into the other.
const WARN_REPEATED_IDS = `insert into import_fault (import_uid, phase, n, line, code, member, value)
select $1, 'warning', w.n, w.line, 'customer_repeated', 'id', w.storefront_id
from (
  select p.n,
    p.line,
    p.storefront_id,
    row_number() over (partition by coalesce(a.customer_uid::text, p.storefront_id) order by p.n) as place
  from import_profile p
  left join customer_alias a on a.storefront_id = p.storefront_id
  where p.import_uid = $1) w
where w.place > 1
on conflict do nothing`;

// The balance after the file's earlier rows. Points that will have expired by then are ignored.
const WARN_ABOVE_BALANCE = `insert into import_fault (import_uid, phase, n, line, code, member, value)
select $1, 'warning', w.n, w.line, 'above_balance', 'points', (w.moved + b.ledger_points - b.held_points)::text
from (
  select r.n,
    r.line,
    r.bucket,
    r.customer_uid,
    r.point_value,
    sum(r.point_value) over (partition by r.bucket, r.customer_uid order by r.n) as moved
  from import_row r
  where r.import_uid = $1) w
join balance b on b.bucket = w.bucket and b.customer_uid = w.customer_uid
where w.point_value < 0
  and w.moved + b.ledger_points - b.held_points < 0
on conflict do nothing`;

const KEEP_COUNTS = `update import_step
set created_count = $2,
  changed_count = $3
where import_uid = $1
  and phase = 'check'
  and n = 0`;

const KEEP_CUSTOMERS = `update import
set customer_count = $2
where uid = $1`;

const FINISH = `update import i
set state = 'checked',
  customer_count = coalesce(i.customer_count, (
    select count(*)
    from (
      select
      from import_row r
      where r.import_uid = $1
      group by r.bucket, r.customer_uid) k)),
  warning_count = (
    select count(distinct f.n)
    from import_fault f
    where f.import_uid = $1
      and f.phase = 'warning'),
  largest_points = (
    select coalesce(max(greatest(k.added, k.taken)), 0)
    from (
      select sum(greatest(r.point_value, 0)) as added,
        -sum(least(r.point_value, 0)) as taken
      from import_row r
      where r.import_uid = $1
      group by r.bucket, r.customer_uid) k),
  attempts = 0,
  lease_uid = null,
  lease_until = null
where i.uid = $1`;

/** Ends a dry run: warns of repeated customers and of deductions above the balance, and sums the counts. `counts` is for a file of customers. */
export async function finishCheck(
  tx: Tx,
  { uid, kind }: CsvImport,
  { leaseUid }: ImportLease,
  counts: ProfileCounts | null,
): Promise<void> {
  if ((await tx.query(LOCK, [uid, leaseUid])).length === 0) return;
  const isActivity = kind === "spend" || kind === "history"; // a customer may have many rows, one for each event
  if (!isActivity) await tx.execute(counts === null ? WARN_REPEATED : WARN_REPEATED_IDS, [uid]);
  if (kind === "points") await tx.execute(WARN_ABOVE_BALANCE, [uid]);
  if (counts !== null) {
    await tx.execute(KEEP_COUNTS, [uid, counts.created, counts.changed]);
    await tx.execute(KEEP_CUSTOMERS, [uid, counts.customers]);
  }
  await tx.execute(FINISH, [uid]);
}
