import type { Queryable } from "../db/pool.ts";

/** The state of the worker's check of the ledger. Times are of the machine's clock. */
export interface SelfCheck {
  /** What does not hold, one sentence each, at most 100: from the running pass and the last complete one. Empty: nothing was found. */
  readonly breaches: readonly string[];
  /** When a slice was last checked; null: never. */
  readonly checkedAt: Temporal.Instant | null;
  readonly passStartedAt: Temporal.Instant | null;
  /** When the whole ledger was last checked; null: never. */
  readonly passEndedAt: Temporal.Instant | null;
  readonly passes: bigint;
  /** How many of the 256 buckets the running pass has checked. */
  readonly buckets: number;
}

/** The state if its one row was removed: that is a breach itself, and Home still works. */
const GONE: SelfCheck = {
  breaches: ["self-check: its row is gone from the database"],
  checkedAt: null,
  passStartedAt: null,
  passEndedAt: null,
  passes: 0n,
  buckets: 0,
};

/** Reads the state of the self-check, for the dashboard and for metrics. */
export async function readSelfCheck(queryable: Queryable): Promise<SelfCheck> {
  const [row] = await queryable.query<SelfCheck>(`select breaches,
  checked_at as "checkedAt",
  pass_started_at as "passStartedAt",
  pass_ended_at as "passEndedAt",
  passes,
  next_bucket as "buckets"
from self_check`);
  return row ?? GONE;
}

/** The position at which the next slice begins. */
export interface SelfCheckTurn {
  readonly nextBucket: number;
  readonly bucketsASlice: number;
  readonly nextTile: bigint;
}

// A later time is of a clock that was ahead and has been corrected since.
const CLAIM = `update self_check
set checked_at = clock_timestamp(),
  pass_started_at = case when next_bucket = 0 and next_tile = 0 then clock_timestamp() else pass_started_at end
where checked_at is null
  or checked_at < clock_timestamp() - make_interval(secs => $1)
  or checked_at > clock_timestamp()
returning next_bucket as "nextBucket",
  buckets_a_slice as "bucketsASlice",
  next_tile as "nextTile"`;

/** Claims the next slice for this node; undefined: one was claimed less than `pauseS` seconds ago. */
export async function claimSlice(queryable: Queryable, pauseS: number): Promise<SelfCheckTurn | undefined> {
  const [turn] = await queryable.query<SelfCheckTurn>(CLAIM, [pauseS]);
  return turn;
}

const RETURN = `update self_check
set checked_at = $1,
  buckets_a_slice = greatest(1, buckets_a_slice / 2)`;

/**
 * Returns a slice that could not be checked: it does not count as checked, which the alert on the age of the last one sees, and the next one is
 * half as large, in case this one took too long. `checkedBefore`: when the slice before it was checked; null: there was none.
 */
export async function returnSlice(queryable: Queryable, checkedBefore: Temporal.Instant | null): Promise<void> {
  await queryable.execute(RETURN, [checkedBefore]);
}

const BREACHES_MAX = 100;

const MERGED = (column: string) => `(select coalesce(jsonb_agg(distinct b), '[]')
    from (select b from jsonb_array_elements(${column} || $1::text::jsonb) b limit ${BREACHES_MAX}) m)`;

const ADD = `update self_check
set breaches = ${MERGED("breaches")},
  pass_breaches = ${MERGED("pass_breaches")}`;

/** Stores what was found until a complete pass no longer finds it. */
export async function addBreaches(queryable: Queryable, found: readonly string[]): Promise<void> {
  if (found.length > 0) await queryable.execute(ADD, [JSON.stringify(found.slice(0, BREACHES_MAX))]);
}

const MOVE = `update self_check
set next_bucket = $1,
  buckets_a_slice = $2,
  next_tile = $3,
  checked_at = clock_timestamp()`;

const END_PASS = `update self_check
set next_bucket = 0,
  buckets_a_slice = $1,
  next_tile = 0,
  passes = passes + 1,
  breaches = pass_breaches,
  pass_breaches = '[]',
  pass_ended_at = clock_timestamp(),
  checked_at = clock_timestamp()`;

/** Stores the position at which the next slice begins; null: the pass is complete. */
export async function advanceSlice(
  queryable: Queryable,
  next: { readonly bucket: number; readonly tile: bigint } | null,
  bucketsASlice: number,
): Promise<void> {
  if (next === null) await queryable.execute(END_PASS, [bucketsASlice]);
  else await queryable.execute(MOVE, [next.bucket, bucketsASlice, next.tile]);
}
