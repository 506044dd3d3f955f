import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { ImportLease } from "../lease-queries.ts";
import { LOCK_CHECKED } from "../step-queries.ts";

const FIND_HELD = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'`;

// Of a check that was interrupted after its warnings.
const FORGET_WARNINGS = `delete from import_fault
where import_uid = $1
  and phase = 'warning'`;

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

/**
 * After all rows are checked, warns of repeated customers and of deductions above the balance. The import's row is not locked meanwhile: with
 * 800,000 rows this takes longer than a lease may wait for its renewal.
 */
export async function addWarnings(tx: Tx, { uid, kind }: CsvImport, { leaseUid }: ImportLease): Promise<void> {
  if (kind === "spend" || kind === "history") return; // a customer may have many rows, one for each event
  await tx.execute(LOCK_CHECKED, [uid]);
  if ((await tx.query(FIND_HELD, [uid, leaseUid])).length === 0) return;
  await tx.execute(FORGET_WARNINGS, [uid]);
  await tx.execute(kind === "customers" ? WARN_REPEATED_IDS : WARN_REPEATED, [uid]);
  if (kind === "points") await tx.execute(WARN_ABOVE_BALANCE, [uid]);
}
