import { systemClock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import type { Clock } from "../deps.ts";

/** The test clock of program.md 8: runs with the machine until it is first set, then stands still. All nodes follow it. */
export interface SandboxClock extends Clock {
  /** Reads what another node may have set. */
  refresh(): Promise<void>;
  /** Sets the clock for all nodes; one that is further already stays. */
  set(to: Temporal.Instant): Promise<void>;
  /** Sets the clock of a store that has no writes yet, for the first time, to any time. Returns whether it was that. */
  begin(to: Temporal.Instant): Promise<boolean>;
}

// What a start writes by itself is no write: the stand-in of the program, a credential, the keys.
const BEGIN = `insert into sandbox_clock (now_at)
select $1
where not exists (select from customer)
  and not exists (select true from allotment)
  and not exists (select from store_order)
  and not exists (select from receipt)
  and not exists (select from product)
  and not exists (select from import)
  and not exists (select from export)
  and not exists (select from subscription)
  and not exists (select from program_version where version > 1)
  and not exists (select from designation)
  and not exists (select from birthday_run)
on conflict (one) do nothing`;

/** Opens the clock as it was left. */
export async function openSandboxClock(db: Queryable): Promise<SandboxClock> {
  let setTo: Temporal.Instant | undefined;
  async function refresh(): Promise<void> {
    const [row] = await db.query<{ now: Temporal.Instant }>(`select now_at as "now" from sandbox_clock`);
    if (row !== undefined && (setTo === undefined || Temporal.Instant.compare(row.now, setTo) > 0)) setTo = row.now;
  }
  async function set(to: Temporal.Instant): Promise<void> {
    await db.execute(
      `insert into sandbox_clock as c (now_at)
       values ($1)
       on conflict (one) do update
       set now_at = excluded.now_at
       where c.now_at < excluded.now_at`,
      [to],
    );
    await refresh();
  }
  async function begin(to: Temporal.Instant): Promise<boolean> {
    const isFirst = (await db.execute(BEGIN, [to])) === 1;
    await refresh();
    return isFirst;
  }
  await refresh();
  return { now: () => setTo ?? systemClock.now(), refresh, set, begin };
}
