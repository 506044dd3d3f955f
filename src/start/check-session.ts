import pg from "pg";
import { type Connection, sessionConfig, sessionSettings } from "../db/connection.ts";
import { sqlState } from "../db/pool.ts";
import type { Log } from "../deps.ts";
import { ConfigError } from "../environment.ts";
import { readExcess } from "./read-excess.ts";

const SESSION = `select pg_backend_pid() as pid,
  current_user as role,
  quote_ident(current_user) as "quotedRole",
  quote_ident(current_database()) as "quotedDatabase",
  coalesce((
    select array_agg(w.name order by w.name)
    from unnest($1::text[], $2::text[]) as w (name, value)
    join pg_settings s on lower(s.name) = w.name
    where s.setting <> w.value), '{}') as wrong`;

interface Session {
  readonly pid: number;
  readonly role: string;
  readonly quotedRole: string;
  readonly quotedDatabase: string;
  /** The names of the settings that do not have the required value. */
  readonly wrong: readonly string[];
}

/** A pooler between the service and its database whose mode is not the one of `POINTKEEPER_POOLER`. */
export class PoolerError extends ConfigError {
  /** What was found, a sentence. */
  readonly found: string;
  /** What to do about it. The message is both. */
  readonly todo: string;

  constructor(found: string, todo: string, options?: ErrorOptions) {
    super(`${found} ${todo}`, options);
    this.found = found;
    this.todo = todo;
  }
}

const UNNAMED = [
  "A pooler (PgBouncer or a similar one) is between this service and the database of DATABASE_URL.",
  "Set POINTKEEPER_POOLER to transaction or session, as its pool_mode. docs/operations.md says what it needs.",
] as const;
const BY_STATEMENT = [
  "The pooler of DATABASE_URL lends connections by statement (pool_mode = statement), and the service needs transactions.",
  "Set pool_mode to transaction or session, for this database at least, and restart the pooler.",
] as const;
const SHARED = [
  "POINTKEEPER_POOLER is session, but the pooler of DATABASE_URL lends connections by transaction.",
  "Set POINTKEEPER_POOLER to transaction, or its pool_mode to session.",
] as const;
const PROBE_MS = 5_000;
const NAMES_MAX = 5;

/**
 * Checks a session of the service, through whatever is between the service and its database. Returns the name of its role.
 * @throws PoolerError for a pooler that no setting names or another mode than the named one, and for a session without the required settings
 */
export async function checkSession(connection: Connection): Promise<string> {
  return withSession(connection, async (client) => {
    const required = sessionSettings(connection);
    const { rows } = await client.query<Session>(SESSION, [Object.keys(required), Object.values(required)]);
    const [session] = rows;
    if (session === undefined) throw new Error("a database that answers a question with no row");
    const isPooled = Reflect.get(client, "processID") !== session.pid; // a pooler assigns its own process ids
    if (isPooled && connection.pooler === undefined) throw new PoolerError(...UNNAMED);
    if (isPooled) await checkMode(client, connection, session.pid);
    if (session.wrong.length > 0) throw settingsError(session, required);
    return session.role;
  });
}

/** Refuses a pooler that cannot serve transactions, and one that shares connections which this service takes for its own. */
async function checkMode(client: pg.Client, connection: Connection, pid: number): Promise<void> {
  try {
    await client.query("begin");
    await client.query("rollback");
  } catch (error) {
    throw error instanceof Error && /statement pooling/.test(error.message)
      ? new PoolerError(...BY_STATEMENT, { cause: error })
      : error;
  }
  if (connection.pooler === "session" && (await isLent(connection, pid))) throw new PoolerError(...SHARED);
}

/** Whether another client gets the server connection of a client that is still connected; a pooler without a free one lets it wait, so no. */
async function isLent(connection: Connection, pid: number): Promise<boolean> {
  const other = new pg.Client({ ...sessionConfig(connection), query_timeout: PROBE_MS });
  other.on("error", () => {}); // the awaited call rejects as well
  try {
    await other.connect();
    const { rows } = await other.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid === pid;
  } catch {
    return false;
  } finally {
    await other.end().catch(() => {});
  }
}

function settingsError(
  { wrong, quotedRole, quotedDatabase }: Session,
  required: Readonly<Record<string, string>>,
): PoolerError {
  const statements = wrong.map(
    (name) => `alter role ${quotedRole} in database ${quotedDatabase} set ${name} = '${required[name]}';`,
  );
  return new PoolerError(
    `The pooler's sessions lack settings that the service needs (${wrong.join(", ")}).`,
    `Run these, then restart the pooler:\n${statements.join("\n")}`,
  );
}

/** Warns if the service's role could change the ledger's history. */
export async function warnOfPowers(connection: Connection, log: Log): Promise<void> {
  const tables = await readExcess(connection);
  if (tables.length === 0) return;
  log.warn(
    { tables: tables.slice(0, NAMES_MAX), others: Math.max(0, tables.length - NAMES_MAX) },
    "the database role of the service may change the ledger's history: give it a role of its own (docs/operations.md, Database roles)",
  );
}

async function withSession<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(sessionConfig(connection));
  client.on("error", () => {}); // the awaited call rejects as well
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw isOptionRefused(error) ? new PoolerError(...UNNAMED, { cause: error }) : error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The error of PgBouncer for startup options that it does not pass on. */
function isOptionRefused(error: unknown): boolean {
  return error instanceof Error && sqlState(error) === "08P01" && /startup parameter/.test(error.message);
}
