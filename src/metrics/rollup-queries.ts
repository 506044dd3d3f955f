import type { Queryable, Tx } from "../db/pool.ts";
import { bookmarkParams, type SettledRange } from "./range-queries.ts";
import { type LedgerBookmark, type Rollup, type RollupPlan, START } from "./rollup.ts";
import type { StoreDays } from "./store-days.ts";

const COLUMNS = `edition as generation,
  time_zone as "timeZone",
  is_shown as "isShown",
  allotted_at as "allottedAt",
  allotment_uid as "allotmentUid"`;

const SELECT_ROLLUPS = `select ${COLUMNS}
from figure_book
order by edition`;

/** Returns the shown rollup, and the one that is being built, if any. */
export function selectRollups(queryable: Queryable): Promise<Rollup[]> {
  return queryable.query<Rollup>(SELECT_ROLLUPS);
}

/** Reads the rollups and locks them for the transaction that may change them. */
export async function lockRollups(tx: Tx): Promise<Rollup[]> {
  await tx.execute("lock table figure_book in exclusive mode");
  return selectRollups(tx);
}

const DROP_DAYS = "delete from figure_day where edition = $1";
const DROP = "delete from figure_book where edition = $1";
const OPEN = `insert into figure_book (edition, time_zone, is_shown, allotted_at, allotment_uid)
values ($1, $2, false, $3, $4)`;

async function dropRollup(tx: Tx, generation: number): Promise<void> {
  await tx.execute(DROP_DAYS, [generation]);
  await tx.execute(DROP, [generation]);
}

/** Drops and creates rollups according to the plan. */
export async function applyRollupPlan(tx: Tx, { drop, open }: RollupPlan): Promise<void> {
  if (drop !== null) await dropRollup(tx, drop.generation);
  if (open !== null) await tx.execute(OPEN, [open.generation, open.timeZone, ...bookmarkParams(START)]);
}

const AGGREGATE = `insert into figure_day as f (edition, day, type, gained, gains, taken, takes)
select $1,
  ($6::date[])[width_bucket(a.allotted_at, $7::timestamptz[])],
  a.type,
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0),
  count(*) filter (where a.point_value > 0),
  coalesce(-sum(a.point_value) filter (where a.point_value < 0), 0),
  count(*) filter (where a.point_value < 0)
from allotment a
where (a.allotted_at, a.uid) > ($2::timestamptz, $3::uuid)
  and (a.allotted_at, a.uid) <= ($4::timestamptz, $5::uuid)
group by 2, 3
on conflict (edition, day, type) do update
set gained = f.gained + excluded.gained,
  gains = f.gains + excluded.gains,
  taken = f.taken + excluded.taken,
  takes = f.takes + excluded.takes`;

/** Adds a range of settled allotments to the days of a rollup. */
export function aggregateRange(tx: Tx, generation: number, { from, to }: SettledRange, { days, starts }: StoreDays) {
  return tx.execute(AGGREGATE, [generation, ...bookmarkParams(from), ...bookmarkParams(to), days, starts]);
}

const MOVE = `update figure_book
set allotted_at = $2,
  allotment_uid = $3
where edition = $1
  and (allotted_at, allotment_uid) < ($2, $3)`;

/** Moves the bookmark of a rollup forward; it never moves back. */
export function moveBookmark(tx: Tx, generation: number, to: LedgerBookmark) {
  return tx.execute(MOVE, [generation, ...bookmarkParams(to)]);
}

const SHOW = "update figure_book set is_shown = true where edition = $1";

/** Shows a completed rollup in place of the previous one. */
export async function showRollup(tx: Tx, made: number, shown: number): Promise<void> {
  await dropRollup(tx, shown);
  await tx.execute(SHOW, [made]);
}
