import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";

/** The progress of the birthdays. */
export interface BirthdayRun {
  /** Days up to it are done. */
  readonly doneOn: string;
  /** Customers of the next day up to this key are done. */
  readonly afterBucket: number;
  readonly afterUid: string;
}

const COLUMNS = `r.done_on as "doneOn",
  r.after_bucket as "afterBucket",
  r.after_uid as "afterUid"`;

const READ = `select ${COLUMNS}
from birthday_run r`;

const LOCK = `select ${COLUMNS}
from birthday_run r
for no key update of r`;

const BEGIN = `insert into birthday_run (done_on)
values ($1)
on conflict (one) do nothing`;

const SAVE = `update birthday_run
set done_on = $1,
  after_bucket = $2,
  after_uid = $3`;

// A birthday that became known after the day had begun counts from the next year on, however late the day's run is.
const CELEBRANTS = `select c.bucket,
  c.customer_uid as "customerUid"
from customer c
where right(c.birthday, 5) = any($1::text[])
  and c.birthday is not null
  and c.deleted_at is null
  and c.account_enabled is not false
  and coalesce(c.birthday_set_at, c.created_at) <= $2
  and (c.bucket, c.customer_uid) > ($3::smallint, $4::uuid)
order by c.bucket, c.customer_uid
limit $5`;

const FIRST_BIRTHDAY = `select right(c.birthday, 5) as "monthDay"
from customer c
where c.birthday is not null
  and c.deleted_at is null
  and right(c.birthday, 5) >= $1
order by right(c.birthday, 5)
limit 1`;

/** Returns the first birthday of any customer in the order of the year, on or after a given one; both `MM-DD`. */
export async function selectFirstBirthday(queryable: Queryable, from: string): Promise<string | undefined> {
  return (await queryable.query<{ monthDay: string }>(FIRST_BIRTHDAY, [from]))[0]?.monthDay;
}

export async function selectBirthdayRun(queryable: Queryable): Promise<BirthdayRun | undefined> {
  return (await queryable.query<BirthdayRun>(READ))[0];
}

/** Returns the run, locked until the transaction ends; it is begun after `doneOn` if there is none. */
export async function lockBirthdayRun(tx: Tx, doneOn: string): Promise<BirthdayRun> {
  await tx.execute(BEGIN, [doneOn]);
  const [run] = await tx.query<BirthdayRun>(LOCK);
  if (run === undefined) throw new Error("the run of birthdays vanished");
  return run;
}

export async function saveBirthdayRun(tx: Tx, { doneOn, afterBucket, afterUid }: BirthdayRun): Promise<void> {
  await tx.execute(SAVE, [doneOn, afterBucket, afterUid]);
}

/** Returns enabled customers with one of the birthdays (`MM-DD`) that was known at `startAt`, in key order after the run's position. */
export function selectBirthdayCustomers(
  queryable: Queryable,
  { afterBucket, afterUid }: BirthdayRun,
  day: { readonly birthdays: readonly string[]; readonly startAt: Temporal.Instant; readonly limit: number },
): Promise<CustomerRef[]> {
  const params = [day.birthdays, day.startAt, afterBucket, afterUid, day.limit];
  return queryable.query<CustomerRef>(CELEBRANTS, params);
}

const LAST_REWARDED = `select l.customer_uid as "customerUid",
  l.celebrated_on as "lastOn"
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join birthday_reward l on l.bucket = k.bucket and l.customer_uid = k.customer_uid`;

/** Returns the last rewarded birthdays of customers, by uid; absent: none was. The balances must be locked: a merge moves these days. */
export async function selectLastRewarded(
  tx: Tx,
  customers: readonly CustomerRef[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ customerUid: string; lastOn: string }>(LAST_REWARDED, refKeys(customers));
  return new Map(rows.map(({ customerUid, lastOn }) => [customerUid, lastOn]));
}
