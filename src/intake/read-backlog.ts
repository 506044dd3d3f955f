import type { Queryable } from "../db/pool.ts";

/** Receipts that are not processed, and the rate of processing. Times are machine time. */
export interface Backlog {
  /** Receipts that are not done, by state; each is counted up to `countedTo` plus one. */
  readonly counts: Readonly<Record<"new" | "waiting" | "failed" | "quarantined", bigint>>;
  readonly countedTo: number;
  /** How many of the new receipts arrived longer ago than this; those that wait longest are counted first. */
  readonly olderThan: Readonly<Record<"minute" | "tenMinutes" | "hour" | "day", bigint>>;
  /** The age of the oldest new receipt; null: there is none. */
  readonly oldestS: number | null;
  /** Receipts processed per minute, over the last minutes. */
  readonly perMinute: number;
  /**
   * Seconds until the new receipts are done at that rate; null: some wait although nothing was processed. A lower bound if not all were counted.
   */
  readonly leftS: number | null;
}

interface Row {
  readonly new: bigint;
  readonly waiting: bigint;
  readonly failed: bigint;
  readonly quarantined: bigint;
  readonly minute: bigint;
  readonly tenMinutes: bigint;
  readonly hour: bigint;
  readonly day: bigint;
  readonly oldestS: number | null;
  readonly processed: bigint;
  readonly overS: number;
}

const RATE_MINUTES = 5;
const MINUTE_S = 60;

// A receipt's uid is a UUIDv7 of the machine's clock: the partial index of new receipts is ordered by uid, which gives their age.
const uidOf = (age: string) => `(
  select (substr(h.hex, 1, 8) || '-' || substr(h.hex, 9, 4) || '-7000-8000-000000000000')::uuid
  from (
    select lpad(to_hex((extract(epoch from clock_timestamp() - interval '${age}') * 1000)::bigint), 12, '0') as hex) h)`;

const counted = (state: string) => `(
    select count(*)
    from (
      select
      from receipt
      where state = '${state}'
      limit $1) c)`;

const SELECT = `with bounds as materialized (
  select ${uidOf("1 minute")} as minute,
    ${uidOf("10 minutes")} as ten_minutes,
    ${uidOf("1 hour")} as hour,
    ${uidOf("1 day")} as day),
fresh as materialized (
  select uid
  from receipt
  where state = 'new'
  order by uid
  limit $1),
paced as (
  select coalesce(sum(p.processed), 0)::bigint as processed,
    extract(epoch from clock_timestamp() - min(p.minute))::float8 as over_s
  from intake_pace p
  where p.minute >= date_trunc('minute', clock_timestamp()) - interval '${RATE_MINUTES} minutes')
select count(f.uid) as new,
  count(f.uid) filter (where f.uid < b.minute) as minute,
  count(f.uid) filter (where f.uid < b.ten_minutes) as "tenMinutes",
  count(f.uid) filter (where f.uid < b.hour) as hour,
  count(f.uid) filter (where f.uid < b.day) as day,
  (
    select extract(epoch from clock_timestamp())::float8
      - (('x' || substr(replace(o.uid::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)::float8
    from fresh o
    order by o.uid
    limit 1) as "oldestS",
  ${counted("waiting")} as waiting,
  ${counted("failed")} as failed,
  ${counted("quarantined")} as quarantined,
  (select processed from paced) as processed,
  (select coalesce(over_s, 0) from paced) as "overS"
from bounds b
left join fresh f on true`;

/** Reads the backlog of the intake by partial indexes, counting each state up to `countedTo`. */
export async function readBacklog(queryable: Queryable, countedTo: number): Promise<Backlog> {
  const [row] = await queryable.query<Row>(SELECT, [countedTo + 1]);
  if (row === undefined) throw new Error("an aggregate answers one row");
  const { minute, tenMinutes, hour, day, oldestS, processed, overS, ...counts } = row;
  const perMinute = processed === 0n ? 0 : Number(processed) / Math.max(1, overS / MINUTE_S);
  const left = counts.new === 0n ? 0 : perMinute === 0 ? null : Math.ceil((Number(counts.new) / perMinute) * MINUTE_S);
  return {
    counts,
    countedTo,
    olderThan: { minute, tenMinutes, hour, day },
    oldestS: oldestS === null ? null : Math.max(0, Math.round(oldestS)),
    perMinute: Math.round(perMinute * 10) / 10,
    leftS: left,
  };
}
