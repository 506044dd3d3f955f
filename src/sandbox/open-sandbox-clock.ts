import { systemClock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import type { Clock } from "../deps.ts";

/** The test clock of program.md 8: runs with the machine until it is first set, then stands still. All nodes follow it. */
export interface SandboxClock extends Clock {
  /** Reads what another node may have set. */
  refresh(): Promise<void>;
  /** Sets the clock for all nodes; one that is further already stays. */
  set(to: Temporal.Instant): Promise<void>;
}

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
  await refresh();
  return { now: () => setTo ?? systemClock.now(), refresh, set };
}
