import type { Queryable } from "../db/pool.ts";
import { refKeys } from "../ledger/customer-ref.ts";
import type { CustomerPosting } from "../ledger/queue/posting-batch.ts";
import { selectProgramStart } from "../program/program-queries.ts";
import { localDate } from "../time/store-time.ts";
import { selectBirthdayRun } from "./birthday-queries.ts";

const COUNTED = `select a.source_key as "sourceKey"
from allotment a
where a.source_key = any($1::text[])
  and a.source_key not like 'api/%'`;

const CELEBRATED = `insert into birthday_reward (bucket, customer_uid, celebrated_on)
select k.bucket, k.customer_uid, $3
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
on conflict (bucket, customer_uid) do update
set celebrated_on = excluded.celebrated_on`;

/** Returns those natural keys that were counted. */
export async function selectCounted(queryable: Queryable, sourceKeys: readonly string[]): Promise<Set<string>> {
  const rows = await queryable.query<{ sourceKey: string }>(COUNTED, [sourceKeys]);
  return new Set(rows.map(({ sourceKey }) => sourceKey));
}

/** Stores the day on which customers were rewarded for their birthday. */
export async function saveBirthdayRewards(
  queryable: Queryable,
  customers: readonly CustomerPosting["customer"][],
  day: string,
): Promise<void> {
  const keys = refKeys(customers);
  await queryable.execute(CELEBRATED, [...keys, day]);
}

/** Returns the last store day whose birthdays are done: at first the day on which the store began. null: there is no program. */
export async function readBirthdaysDoneOn(queryable: Queryable, timeZone: string): Promise<string | null> {
  const run = await selectBirthdayRun(queryable);
  if (run !== undefined) return run.doneOn;
  const startedAt = await selectProgramStart(queryable);
  return startedAt === null ? null : localDate(startedAt, timeZone);
}
