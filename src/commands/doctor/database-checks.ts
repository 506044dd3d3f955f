import { setTimeout as delay } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import pg from "pg";
import { connectClient } from "../../db/connect-client.ts";
import { checksCertificate, externalConnection } from "../../db/connection.ts";
import { listPending } from "../../db/list-pending.ts";
import { SERVER_MAJOR_MIN } from "../../db/migrate.ts";
import { NO_PRIVILEGE_STATE, sqlState } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { OpenDatabase } from "../../start/open-database.ts";
import { countText } from "../output.ts";
import { daysLeftSoon } from "./certificate-end.ts";
import type { Check, DatabaseContext, Finding } from "./check.ts";
import { ROLE_CHECKS } from "./role-checks.ts";

const CLOCK_WARN_MS = 500;
const CLOCK_FAIL_MS = 5_000;
const CONNECT_MS = 5_000;
/** How often, and after which pause, a replica is asked whether it has caught up. */
const REPLICA_TRIES = 10;
const REPLICA_WAIT_MS = 100;

/** Checks that work for any database, even with another schema. */
export const DATABASE_CHECKS: readonly Check<DatabaseContext>[] = [
  { name: "database", run: checkServer },
  { name: "schema", run: checkSchema },
  ...ROLE_CHECKS,
  { name: "durability", run: checkDurability },
  { name: "standbys", run: checkStandbys },
  { name: "connections", run: checkConnections },
  { name: "pooler", run: checkPooler },
  { name: "TLS", run: checkTls },
  { name: "clock", run: checkClock },
  { name: "replica", run: checkReplica },
];

/** Returns the one row of a statement. */
async function one<Row extends object>({ db }: Pick<Deps, "db">, text: string): Promise<Row> {
  const [row] = await db.query<Row>(text);
  if (row === undefined) throw new Error("the database answered no row");
  return row;
}

async function checkServer({ deps, database: { place } }: DatabaseContext): Promise<Finding> {
  const row = await one<{ version: string; number: number; isReadOnly: boolean; zone: string }>(
    deps,
    `select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as number,
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('TimeZone') as zone`,
  );
  const says = `${place}: PostgreSQL ${row.version}, time zone ${row.zone}`;
  if (row.number < SERVER_MAJOR_MIN * 10_000)
    return { state: "fail", says, todo: `Upgrade it: PostgreSQL ${SERVER_MAJOR_MIN} is the oldest that is supported.` };
  if (!row.isReadOnly) return { state: "ok", says };
  const todo = "Connect to the primary: a standby, or a database whose disk is full, takes no changes.";
  return { state: "fail", says: `${says}; it is read-only`, todo };
}

async function checkSchema({ database }: DatabaseContext): Promise<Finding> {
  const pending = await listPending(database.connection, database.place).catch((error: unknown) => {
    if (sqlState(error) === NO_PRIVILEGE_STATE) return null;
    throw error;
  });
  if (pending === null)
    return {
      state: "fail",
      says: "the role of DATABASE_URL may not read the store's tables",
      todo: "Run pointkeeper migrate with DATABASE_MIGRATION_URL too: it gives the role what the service needs (docs/operations.md, Database roles).",
    };
  if (pending.length === 0) return { state: "ok", says: "the schema is this version's" };
  const says = `the schema is older: it lacks ${countText(pending.length, "migration")}, from ${pending[0]} on`;
  return { state: "fail", says, todo: "pointkeeper migrate" };
}

async function checkDurability({ deps }: DatabaseContext): Promise<Finding> {
  const rows = await deps.db.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name",
  );
  const off = rows.filter(({ setting }) => setting === "off").map(({ name }) => name);
  const says = rows.map(({ name, setting }) => `${name} ${setting}`).join(", ");
  if (off.length === 0) return { state: "ok", says };
  const todo = `Turn ${off.join(", ")} on, of the server, the database and the role: a crash loses points that were acknowledged.`;
  return { state: "fail", says, todo };
}

/** Whether a failover to a standby keeps acknowledged writes; standbys that a provider hides are unknown. */
async function checkStandbys({ deps }: DatabaseContext): Promise<Finding | null> {
  if (deps.config.databaseUrl === undefined) return null;
  const { names, commit } = await one<{ names: string; commit: string }>(
    deps,
    "select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit",
  );
  if (names === "")
    return { state: "ok", says: "COMMIT waits for none: a failover to one may lose the last moments before it" };
  const says = `COMMIT waits for ${names}`;
  if (commit === "on" || commit === "remote_apply") return { state: "ok", says };
  const todo = "Set synchronous_commit to on, of the server, the database and the role (docs/operations.md, Failover).";
  return { state: "warn", says: `synchronous_commit is ${commit}: COMMIT does not wait until ${names} has it`, todo };
}

interface ConnectionLimit {
  /** The connections that it limits. */
  readonly of: string;
  /** What sets it. */
  readonly setting: string;
  readonly most: number;
  readonly used: number;
  readonly reserved: number;
}

// Workers of the server have no connection of a client, as far as pg_stat_activity shows a role what kind those of other roles are.
const CONNECTION_LIMITS = `select 'connections' as of,
  'max_connections' as setting,
  current_setting('max_connections')::integer as most,
  (select sum(numbackends)::integer from pg_stat_database)
    - (select count(*)::integer from pg_stat_activity where datid <> 0 and backend_type <> 'client backend') as used,
  current_setting('superuser_reserved_connections')::integer
    + coalesce(current_setting('reserved_connections', true)::integer, 0) as reserved
union all
select 'connections of the role ' || rolname,
  'its connection limit (alter role)',
  rolconnlimit,
  (select count(*)::integer from pg_stat_activity where usename = current_user),
  0
from pg_roles
where rolname = current_user
  and rolconnlimit >= 0
  and not rolsuper
union all
select 'connections of the database ' || datname,
  'its connection limit (alter database)',
  datconnlimit,
  (select numbackends from pg_stat_database s where s.datname = d.datname),
  0
from pg_database d
where datname = current_database()
  and datconnlimit >= 0`;

async function checkConnections({ deps }: DatabaseContext): Promise<Finding> {
  const limits = await deps.db.query<ConnectionLimit>(CONNECTION_LIMITS);
  const { poolSize } = deps.config;
  const freeOf = ({ most, used, reserved }: ConnectionLimit) => most - reserved - used;
  const [tightest] = limits.sort((a, b) => freeOf(a) - freeOf(b));
  if (tightest === undefined) throw new Error("the database answered no row");
  const free = freeOf(tightest);
  const says = `${tightest.used} of ${tightest.most} ${tightest.of} are used; each process of the service opens up to ${poolSize}`;
  if (free >= poolSize) return { state: "ok", says };
  const todo = `Raise ${tightest.setting}, or end clients that keep connections open: another node may find none.`;
  return { state: free <= 0 ? "fail" : "warn", says: `${says}; ${Math.max(0, free)} are free`, todo };
}

async function checkPooler({ deps, database }: DatabaseContext): Promise<Finding | null> {
  if (deps.config.databaseUrl === undefined) return null;
  const [first, second] = [new pg.Client(database.connection), new pg.Client(database.connection)];
  for (const client of [first, second]) client.on("error", () => {}); // the awaited call rejects as well
  try {
    await Promise.all([first.connect(), second.connect()]);
    const mark = `probe-${process.pid}`;
    const pidOf = async (client: pg.Client) => (await client.query("select pg_backend_pid() as pid")).rows[0]?.pid;
    const firstPid: unknown = await pidOf(first);
    await first.query("select set_config('pointkeeper.probe', $1, false)", [mark]);
    const { rows } = await second.query("select current_setting('pointkeeper.probe', true) as mark");
    // two open sessions share one server connection, so there is a pooler in transaction mode in between
    if (rows[0]?.mark !== mark && (await pidOf(second)) !== firstPid)
      return { state: "ok", says: "none, or by session" };
    await first.query("select set_config('pointkeeper.probe', '', false)");
    const says = "a pooler such as PgBouncer lends connections by transaction";
    if (deps.config.pooler === "transaction") return { state: "ok", says };
    const todo = "Set POINTKEEPER_POOLER=transaction (docs/operations.md, A connection pooler), or connect directly.";
    return { state: "fail", says, todo };
  } finally {
    await Promise.all([first.end(), second.end()].map((ending) => ending.catch(() => {})));
  }
}

/** Until when the server's certificate is valid, as Node writes it; empty: it has none. */
async function certificateEnd({ connection }: OpenDatabase): Promise<string> {
  const client = await connectClient(connection);
  try {
    const inner: unknown = Reflect.get(client, "connection");
    const stream: unknown = typeof inner === "object" && inner !== null ? Reflect.get(inner, "stream") : null;
    return stream instanceof TLSSocket ? stream.getPeerCertificate().valid_to : "";
  } finally {
    await client.end();
  }
}

async function checkTls({ deps, database }: DatabaseContext): Promise<Finding | null> {
  const { databaseUrl } = deps.config;
  if (databaseUrl === undefined) return null;
  const row = await one<{ isEncrypted: boolean | null; version: string | null; isLocal: boolean }>(
    deps,
    `select s.ssl as "isEncrypted", s.version, inet_server_addr() is null or inet_client_addr() = inet_server_addr() as "isLocal"
     from (select) one
     left join pg_stat_ssl s on s.pid = pg_backend_pid()`,
  );
  if (row.isEncrypted === true && checksCertificate(databaseUrl)) {
    const says = `${row.version ?? "TLS"}, the certificate is checked`;
    const days = daysLeftSoon(await certificateEnd(database), Temporal.Now.instant());
    if (days === null) return { state: "ok", says };
    const todo = "Renew the server's certificate: once it has ended, nothing connects any more.";
    return { state: "warn", says: `${says}; it ends in ${countText(days, "day")}`, todo };
  }
  if (row.isEncrypted === true)
    return {
      state: "warn",
      says: "encrypted, but the server's certificate is not checked",
      todo: "Add sslmode=verify-full&sslrootcert=<file> to DATABASE_URL.",
    };
  if (row.isLocal) return { state: "ok", says: "none: the database is on this machine" };
  const todo = "Turn ssl on at the server and add sslmode=verify-full&sslrootcert=<file> to DATABASE_URL.";
  return { state: "warn", says: "the connection is not encrypted: points and secrets can be read on the way", todo };
}

async function checkClock({ deps }: DatabaseContext): Promise<Finding> {
  const read = async () => {
    const beforeMs = Date.now();
    const { ms } = await one<{ ms: number }>(
      deps,
      "select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms",
    );
    const afterMs = Date.now();
    return { offMs: ms - (beforeMs + afterMs) / 2, roundTripMs: afterMs - beforeMs };
  };
  const samples = [await read(), await read(), await read()];
  // the fastest answer is the most accurate: its error is at most half its round trip
  const [best = { offMs: 0, roundTripMs: 0 }] = samples.sort((a, b) => a.roundTripMs - b.roundTripMs);
  const off = Math.max(0, Math.abs(best.offMs) - best.roundTripMs / 2);
  const says = `this machine and the database differ by ${off < 1 ? "less than 1" : Math.round(off)} ms`;
  if (off < CLOCK_WARN_MS) return { state: "ok", says };
  const todo = "Let NTP set the clock of every machine: expiries and leases go by it.";
  return { state: off < CLOCK_FAIL_MS ? "warn" : "fail", says, todo };
}

interface Followed {
  readonly isStandby: boolean;
  /** Whether everything is there that the primary had when it was asked. */
  readonly hasAll: boolean;
  readonly isReceiving: boolean;
  readonly ageS: number | null;
}

/** How far a standby follows: compared with the primary, because a standby that lost it has replayed all that it received. Waits for it a little. */
async function followed(client: pg.Client, deps: Deps): Promise<Followed> {
  const { lsn } = await one<{ lsn: string }>(deps, "select pg_current_wal_flush_lsn()::text as lsn");
  for (let tries = REPLICA_TRIES; ; tries--) {
    const { rows } = await client.query<Followed>(
      `select pg_is_in_recovery() as "isStandby",
        coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "hasAll",
        exists (select from pg_stat_wal_receiver) as "isReceiving",
        extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::double precision as "ageS"`,
      [lsn],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("the replica answered no row");
    if (row.hasAll || !row.isStandby || tries === 0) return row;
    await delay(REPLICA_WAIT_MS);
  }
}

async function checkReplica({ deps }: DatabaseContext): Promise<Finding | null> {
  const { replicaUrl, replicaAgeMaxMs } = deps.config;
  if (replicaUrl === undefined) return null;
  const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS };
  const client = new pg.Client(externalConnection(replicaUrl, "DATABASE_REPLICA_URL", limits));
  client.on("error", () => {}); // the awaited call rejects as well
  const todo = "Reads go to the primary meanwhile: see Reads from a replica in docs/operations.md.";
  try {
    await client.connect();
    const { isStandby, hasAll, isReceiving, ageS } = await followed(client, deps);
    if (!isStandby) return { state: "fail", says: "DATABASE_REPLICA_URL is no standby", todo };
    if (hasAll) return { state: "ok", says: "it has all that the primary had a moment ago" };
    const says = `${(ageS ?? 0).toFixed(1)} s behind the primary`;
    if (!isReceiving) return { state: "warn", says: `${says}, from which it receives nothing`, todo };
    return (ageS ?? 0) * 1_000 > replicaAgeMaxMs ? { state: "warn", says, todo } : { state: "ok", says };
  } catch (error) {
    return {
      state: "fail",
      says: `it cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      todo,
    };
  } finally {
    await client.end().catch(() => {}); // it may never have been connected
  }
}
