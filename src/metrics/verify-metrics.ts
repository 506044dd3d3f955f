import type { Queryable, Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { bookmarkParams } from "./range-queries.ts";
import type { Rollup } from "./rollup.ts";
import { selectRollups } from "./rollup-queries.ts";
import { storeDays } from "./store-days.ts";
import { verifySums } from "./sum-queries.ts";
import { verifyCustomers } from "./verify-customers.ts";

const FIRST = `select min(allotted_at) as "firstAt" from allotment`;

const DAY_DIFFERENCES = `select coalesce(l.day, f.day) as day,
  coalesce(l.type, f.type) as type,
  format('the ledger has +%s (%s) -%s (%s), the figures +%s (%s) -%s (%s)', l.gained, l.gains, l.taken, l.takes,
    f.gained, f.gains, f.taken, f.takes) as found
from (
  select ($4::date[])[width_bucket(a.allotted_at, $5::timestamptz[])] as day,
    a.type,
    coalesce(sum(a.point_value) filter (where a.point_value > 0), 0) as gained,
    count(*) filter (where a.point_value > 0) as gains,
    coalesce(-sum(a.point_value) filter (where a.point_value < 0), 0) as taken,
    count(*) filter (where a.point_value < 0) as takes
  from allotment a
  where (a.allotted_at, a.uid) <= ($2::timestamptz, $3::uuid)
  group by 1, 2) l
full join (select * from figure_day where edition = $1) f on f.day = l.day and f.type = l.type
where (l.gained, l.gains, l.taken, l.takes) is distinct from (f.gained, f.gains, f.taken, f.takes)
order by 1, 2
limit 1000`;

const SUM_DIFFERENCES = `select format('%s customers were last active on %s, %s are counted', c.customers, coalesce(c.active_on, f.day), f.customers)
    as found
from (select active_on, count(*) as customers from figure_customer where active_on is not null group by active_on) c
full join (select * from figure_active where customers <> 0) f on f.day = c.active_on
where c.customers is distinct from f.customers
union all
select format('%s points of customers expire in month %s, %s are counted', c.points, coalesce(c.month, f.month), f.points)
from (
  select split_part(p.part, ':', 1)::integer as month, sum(split_part(p.part, ':', 2)::numeric) as points
  from figure_customer f, string_to_table(f.expiring, ' ') as p (part)
  where p.part <> ''
  group by 1) c
full join (select * from figure_expiry where points <> 0) f on f.month = c.month
where c.points is distinct from f.points
limit 1000`;

/**
 * Compares the metrics with the ledger, as far as they are calculated, in one snapshot; the service may be running. It compares the sums of
 * each day and type with the allotments, the sums of customers with each customer's part, and each customer's sums with the allotments. Prints
 * a line for each difference; returns whether there is none.
 */
export async function verifyMetrics(deps: Pick<Deps, "db">, print: (line: string) => void): Promise<boolean> {
  const differences = await deps.db.snapshot(async (tx) => {
    const shown = (await selectRollups(tx)).find(({ isShown }) => isShown);
    return [
      ...(shown === undefined ? [] : await dayDifferences(tx, shown)),
      ...(await sumDifferences(tx)),
      ...(await verifyCustomers(tx)),
      ...(await verifySums(tx)),
    ];
  });
  for (const difference of differences) print(`FAIL figures: ${difference}`);
  print(
    `${differences.length === 0 ? "ok  " : "FAIL"} figures: the sums by day, of active customers, of expiries and of customers are the ledger's`,
  );
  return differences.length === 0;
}

async function dayDifferences(tx: Tx, rollup: Rollup): Promise<string[]> {
  const [first] = await tx.query<{ firstAt: Temporal.Instant | null }>(FIRST);
  const firstAt = first?.firstAt ?? null;
  if (firstAt === null || rollup.allottedAt === null || Temporal.Instant.compare(firstAt, rollup.allottedAt) > 0)
    return [];
  const { days, starts } = storeDays(firstAt, rollup.allottedAt, rollup.timeZone);
  type Row = { day: string; type: string; found: string };
  const rows = await tx.query<Row>(DAY_DIFFERENCES, [rollup.generation, ...bookmarkParams(rollup), days, starts]);
  return rows.map(({ day, type, found }) => `${day} ${type}: ${found}`);
}

async function sumDifferences(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query<{ found: string }>(SUM_DIFFERENCES);
  return rows.map(({ found }) => found);
}
