import { systemClock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import type { Clock } from "../deps.ts";

/** The test clock of program.md 8. It runs with the machine's clock until it is first set, then stands still. All nodes follow it. */
export interface SandboxClock extends Clock {
  /** Reads the time that another node may have set. */
  refresh(): Promise<void>;
  /** Sets the clock for all nodes. A later time that is already set is kept. */
  set(to: Temporal.Instant): Promise<void>;
  /** Sets the clock for the first time, to any time, if the store has no writes yet. Returns whether it did. */
  begin(to: Temporal.Instant): Promise<boolean>;
}

// Rows that a start creates do not count as writes: the default program, a credential, the keys.
const BEGIN = `insert into sandbox_clock (now_at)
select $1
where not exists (select true from customer)
  and not exists (select true from allotment)
  and not exists (select true from store_order)
  and not exists (select true from receipt)
  and not exists (select true from product)
  and not exists (select true from import)
  and not exists (select true from export)
  and not exists (select true from subscription)
  and not exists (select true from program_version where version > 1)
  and not exists (select true from designation)
  and not exists (select true from birthday_run)
on conflict (one) do nothing`;

/** Opens the clock at the time that is stored. */
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
