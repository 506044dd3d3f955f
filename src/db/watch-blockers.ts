import pg from "pg";

/** A session that blocks another one. */
export interface Blocker {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly state: string | null;
  /** Seconds since its transaction began. */
  readonly seconds: number | null;
  /** The beginning of its present or last statement; null if this role may not see it. */
  readonly query: string | null;
}

/** SQL: the columns of a `Blocker`, for a row `a` of `pg_stat_activity`. */
export const BLOCKER_COLUMNS = `a.pid, a.usename as "user", nullif(a.application_name, '') as application, a.state,
  extract(epoch from clock_timestamp() - a.xact_start)::integer as seconds,
  nullif(left(regexp_replace(a.query, '\\s+', ' ', 'g'), 120), '') as query`;

// The poll itself reads the catalogue, and may block a migration for the moment that it takes.
const BLOCKERS = `
select ${BLOCKER_COLUMNS}
from pg_stat_activity a
where a.pid = any(pg_blocking_pids($1))
  and a.pid <> pg_backend_pid()
order by a.pid`;

export interface BlockerWatch {
  /** The blockers seen last; they may have ended since. */
  last(): readonly Blocker[];
  stop(): Promise<void>;
}

/**
 * Polls, on its own connection, whether a session is blocked by others, and reports each change. The connection is opened at the first
 * poll: work that is finished before it costs nothing.
 */
export function watchBlockers(
  connection: pg.ClientConfig,
  options: { readonly pid: number; readonly everyMs: number; readonly onSeen: (blockers: readonly Blocker[]) => void },
): BlockerWatch {
  let seen: readonly Blocker[] = [];
  let client: pg.Client | undefined;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    if (client === undefined) {
      client = new pg.Client(connection);
      client.on("error", () => {}); // the next look is rejected
      await client.connect();
    }
    const { rows } = await client.query<Blocker>(BLOCKERS, [options.pid]);
    if (rows.length === 0) return;
    const isNew = rows.some(({ pid }) => !seen.some((blocker) => blocker.pid === pid));
    seen = rows;
    if (isNew) options.onSeen(rows);
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {}) // who waits goes on waiting, unexplained
      .finally(() => {
        looking = undefined;
      });
  }, options.everyMs);
  return {
    last: () => seen,
    async stop() {
      clearInterval(timer);
      await looking;
      await client?.end().catch(() => {});
    },
  };
}

/** Returns `process 123 (idle in transaction for 40 s: update ...)`. */
export function blockerText({ pid, state, seconds, query }: Blocker): string {
  const since = seconds === null ? "" : ` for ${seconds} s`;
  return `process ${pid} (${state ?? "unknown"}${since}: ${query ?? "a statement that this role may not see"})`;
}
