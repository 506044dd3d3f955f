import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { BackupError } from "./manifest.ts";

/** A session that has just been closed is still listed for a moment. */
const LEAVING_MS = 3_000;
const PAUSE_MS = 100;

// Of the sessions of other roles, such as the service's beside an owner of the tables, nobody but a superuser sees what kind they are. Those without a
// user are the server's own, and those of a superuser its extensions', unless they bear our name.
const OTHERS = `select count(*)::integer as count
from pg_stat_activity a
left join pg_roles r on r.oid = a.usesysid
where a.datname = current_database()
  and a.pid <> pg_backend_pid()
  and (a.backend_type = 'client backend'
    or (a.backend_type is null and (not r.rolsuper or a.application_name like 'pointkeeper%')))`;

/**
 * Refuses a database with other connections: a service that still runs would write rows that nobody copies, or use values that it has in
 * memory. `done`: the part of the message that says what was not done.
 * @throws BackupError
 */
export async function assertNoOtherSessions(client: pg.Client, done: string): Promise<void> {
  const until = performance.now() + LEAVING_MS;
  for (;;) {
    const { rows } = await client.query<{ count: number }>(OTHERS);
    const others = rows[0]?.count ?? 0;
    if (others === 0) return;
    if (performance.now() > until) {
      throw new BackupError(
        `${others} other ${others === 1 ? "session is" : "sessions are"} connected to the database: stop every node and every other client of it first. ${done}`,
      );
    }
    await delay(PAUSE_MS);
  }
}
