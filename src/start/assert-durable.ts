import type { Config } from "../config.ts";
import type { Db } from "../db/pool.ts";
import { ConfigError } from "../environment.ts";

const SETTINGS = `
select name, setting
from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
order by name`;

/**
 * Refuses an external database that may lose committed transactions, by the settings of the service's own sessions.
 * @throws ConfigError, unless POINTKEEPER_ALLOW_UNSAFE_DATABASE allows it
 */
export async function assertDurable(db: Db, config: Pick<Config, "allowUnsafeDatabase">): Promise<void> {
  if (config.allowUnsafeDatabase) return;
  const off = (await db.query<{ name: string }>(SETTINGS)).map(({ name }) => name);
  if (off.length === 0) return;
  throw new ConfigError(
    `The database of DATABASE_URL has ${off.join(", ")} off: a crash would lose points that were acknowledged. ` +
      `Turn ${off.length === 1 ? "it" : "them"} on (of the server, the database and this role), or allow it with POINTKEEPER_ALLOW_UNSAFE_DATABASE=1.`,
  );
}
