import type { Queryable } from "../db/pool.ts";

const RECORD = `insert into intake_pace as p (minute, worker, processed)
values (date_trunc('minute', clock_timestamp()), $1, $2)
on conflict (minute, worker) do update
set processed = p.processed + excluded.processed`;

const FORGET = `delete from intake_pace
where minute < clock_timestamp() - interval '1 hour'`;

/** Counts receipts that a worker has just processed. The figure is only shown, so losing some seconds when a worker is killed does not matter. */
export async function recordPace(queryable: Queryable, worker: string, processed: number): Promise<void> {
  await queryable.execute(RECORD, [worker, processed]);
  await queryable.execute(FORGET);
}
