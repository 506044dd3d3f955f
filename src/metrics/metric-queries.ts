import type { Queryable } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { TypeSums } from "./movement-category.ts";

/** The sums of one day and one type. */
export interface DaySums extends TypeSums {
  readonly day: string;
}

const DAYS = `select day,
  type,
  gained::text as gained,
  gains,
  taken::text as taken,
  takes
from figure_day
where edition = $1
  and day between $2 and $3
order by day, type`;

type DayRow = { day: string; type: AllotmentType; gained: string; gains: bigint; taken: string; takes: bigint };

/** The sums of a rollup for the days from one to another, both inclusive, by day. */
export async function selectDays(
  queryable: Queryable,
  generation: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DaySums[]> {
  const rows = await queryable.query<DayRow>(DAYS, [generation, from, to]);
  return rows.map((row) => ({ ...row, gained: BigInt(row.gained), taken: BigInt(row.taken) }));
}

const OUTSTANDING = `select coalesce(sum(gained - taken), 0)::text as points
from figure_day
where edition = $1
  and day < $2`;

/** Points outstanding at the start of a day; `infinity`: now. */
export async function selectOutstanding(queryable: Queryable, generation: number, day: string): Promise<bigint> {
  const [row] = await queryable.query<{ points: string }>(OUTSTANDING, [generation, day]);
  return BigInt(row?.points ?? 0);
}

const ACTIVE = `select coalesce(sum(customers), 0)::bigint as customers
from figure_active
where day > $1`;

/** The number of customers whose last activity was after a day. */
export async function selectActiveAfter(queryable: Queryable, day: string): Promise<bigint> {
  const [row] = await queryable.query<{ customers: bigint }>(ACTIVE, [day]);
  return row?.customers ?? 0n;
}

const EXPIRING = `select month,
  points::text as points
from figure_expiry
where month >= $1
  and month < $2
  and points <> 0
order by month`;

/** Expected expiries by month (numbered by `monthIndex`), from the first (inclusive) to the last (exclusive); empty months are left out. */
export async function selectExpiring(
  queryable: Queryable,
  from: number,
  to: number,
): Promise<{ readonly month: number; readonly points: bigint }[]> {
  const rows = await queryable.query<{ month: number; points: string }>(EXPIRING, [from, to]);
  return rows.map(({ month, points }) => ({ month, points: BigInt(points) }));
}

/** The number of customers at the last count; by the uid of the tier, '' for customers without a tier. */
export interface CustomerCount {
  readonly countedAt: Temporal.Instant;
  readonly customers: bigint;
  readonly tiers: Readonly<Record<string, number>>;
}

/** Up to this number, customers are counted again each time: it takes milliseconds, and a new store sees its customers soon. */
export const FEW_CUSTOMERS = 10_000n;

const COUNT = `select counted_at as "countedAt", customers, tiers from figure_count`;

/** The last count; null where there was none yet. */
export async function selectCount(queryable: Queryable): Promise<CustomerCount | null> {
  const [row] = await queryable.query<CustomerCount>(COUNT);
  return row ?? null;
}
