import type { Config } from "../config.ts";
import { connectClient } from "../db/connect-client.ts";
import { type Connection, sessionConfig } from "../db/connection.ts";
import { ConfigError } from "../environment.ts";

const SETTINGS = `
select name, setting
from pg_settings
where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
order by name`;

/**
 * Refuses an external database that may lose committed transactions, by the settings of the service's own sessions. It reads nothing of a store, so it
 * can be called before the schema is there.
 * @throws ConfigError, unless POINTKEEPER_ALLOW_UNSAFE_DATABASE allows it
 */
export async function assertDurable(
  connection: Connection,
  config: Pick<Config, "allowUnsafeDatabase">,
): Promise<void> {
  if (config.allowUnsafeDatabase) return;
  const off = await readSettingsOff(connection);
  if (off.length === 0) return;
  throw new ConfigError(
    `The database of DATABASE_URL has ${off.join(", ")} off: a crash would lose points that were acknowledged. ` +
      `Turn ${off.length === 1 ? "it" : "them"} on (of the server, the database and this role), or allow it with POINTKEEPER_ALLOW_UNSAFE_DATABASE=1.`,
  );
}

async function readSettingsOff(connection: Connection): Promise<string[]> {
  const client = await connectClient(sessionConfig(connection));
  try {
    return (await client.query<{ name: string }>(SETTINGS)).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
