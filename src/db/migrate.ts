import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../deps.ts";
import { readMigrationText } from "./citus/read-migration-text.ts";
import {
  MIGRATIONS_DIR,
  type Migration,
  MigrationError,
  readApplied,
  readMigrations,
  selectExpanding,
  selectPending,
} from "./migration-files.ts";
import { sqlState } from "./pool.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { grantServiceRole, type ServiceRole } from "./roles/grant-service-role.ts";
import { type BlockerWatch, blockerText, watchBlockers } from "./watch-blockers.ts";

/** A session's advisory lock in the migrated database: one node migrates; the others wait and find the migrations applied. */
const LOCK = [7_065_734, 3] as const;
/** The oldest PostgreSQL whose functions and grammar our statements keep to (test/support/later-functions.ts). */
export const SERVER_MAJOR_MIN = 15;
/** A lock timeout, and a deadlock: the migration is tried again. */
const LOCK_STATES = ["55P03", "40P01"];
/** The states for a role that may not write, and for one that may not even use the schema. */
const PRIVILEGE_STATES = ["42501", "3F000"];

export interface MigrateOptions {
  /** The folder of `0001_name.sql` files; the project's own if absent. */
  readonly dir?: string;
  readonly log?: Log;
  /** How long one try waits for a lock; later statements on that table wait as long. */
  readonly lockTimeoutMs?: number;
  /** How often a migration that does not get its locks is tried, with pauses of the same length in between. */
  readonly tries?: number;
  /** The role of the service's statements, if it is not the owner, who migrates: it is granted its privileges. */
  readonly serviceRole?: ServiceRole | undefined;
  /** The lock timeout outside a transaction, for each lock and each earlier transaction: nothing is blocked meanwhile. */
  readonly concurrentLockMs?: number;
  /** How long to wait for another node's migrations: by default longer than all its tries, so that it fails first and says why. */
  readonly otherNodeMs?: number;
}

const DEFAULTS = { dir: MIGRATIONS_DIR, lockTimeoutMs: 5_000, tries: 12, concurrentLockMs: 15 * 60_000 };
const LOOK_MS = 1_000;
const TURN_MS = 50;
const TELL_MS_MAX = 60_000;

interface Run extends Required<Omit<MigrateOptions, "log" | "serviceRole">> {
  readonly client: pg.Client;
  readonly watch: BlockerWatch;
  readonly log: Log | undefined;
}

/**
 * Applies the migrations that the database lacks, in order, each in one transaction with its row in `migration` unless the file says otherwise. Returns how many
 * were applied. Safe if several nodes start at once (program.md 8). Then grants the service's role its privileges. Waits for locks only for a limited
 * time, tries again a few times, and says which sessions hold them.
 * @throws MigrationError for a PostgreSQL before 15, a lock timeout, a role without the privileges, a database of a newer Pointkeeper, or an
 * applied file that was changed
 */
export async function migrate(connection: pg.ClientConfig, options: MigrateOptions = {}): Promise<number> {
  const given = { ...DEFAULTS, ...options };
  const settings = { otherNodeMs: longestMs(given), ...given };
  const files = await readMigrations(settings.dir);
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the statement that runs is rejected too
  await client.connect();
  const { pid, role } = await assertVersion(client).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  const watch = watchBlockers(connection, {
    pid,
    everyMs: Math.min(LOOK_MS, Math.max(10, settings.lockTimeoutMs / 3)),
    onSeen: (blockers) => settings.log?.warn({ waitsFor: blockers }, "a migration waits for other sessions"),
  });
  try {
    await setLockTimeout(client, settings.lockTimeoutMs);
    const run: Run = { ...settings, client, watch, log: options.log };
    await takeTurn(run);
    const applied = await readApplied(client);
    if (applied.length === 0) await client.query(CREATE_TABLE); // else unasked: a role may own no more than its rows
    const newer = selectExpanding(files, applied);
    if (newer.length > 0) {
      options.log?.warn({ migrations: newer.map(({ name }) => name) }, NEWER);
      return 0; // the newer version gave the service's role what it needs
    }
    const pending = selectPending(files, applied);
    const isNew = applied.length === 0;
    for (const migration of pending) {
      await applyPatiently(run, migration);
      options.log?.[isNew ? "debug" : "info"]({ migration: migration.name }, "migration applied");
    }
    if (isNew)
      options.log?.info({ migrations: pending.length, newest: pending.at(-1)?.name }, "the schema was created");
    if (options.serviceRole !== undefined) await grantServiceRole(client, options.serviceRole, options.log);
    return pending.length;
  } catch (error) {
    throw mayNot(error, role);
  } finally {
    await watch.stop();
    await client.end();
  }
}

/** More than the time of a migration that never gets its locks: a pause follows each of its tries. */
function longestMs({
  tries,
  lockTimeoutMs,
  concurrentLockMs,
}: Pick<Run, "tries" | "lockTimeoutMs" | "concurrentLockMs">): number {
  return (tries + 1) * (concurrentLockMs + 2 * lockTimeoutMs);
}

const NEWER =
  "the database was migrated by a newer Pointkeeper, which only expanded its schema: this version serves on it";

/** Names the setting if a role that owns nothing was to migrate. */
function mayNot(error: unknown, role: string): unknown {
  const cause = error instanceof MigrationError ? error.cause : error;
  if (!PRIVILEGE_STATES.includes(sqlState(cause) ?? "")) return error;
  return new MigrationError(
    `The database lacks migrations, and the role ${role} may not apply them (${cause instanceof Error ? cause.message : ""}). ` +
      'Set DATABASE_MIGRATION_URL to a URL of the role that owns the tables, or run "pointkeeper migrate" with it.',
    { cause },
  );
}

const CREATE_TABLE = `
create table if not exists migration (
  number integer primary key,
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`;

async function assertVersion(client: pg.Client): Promise<{ pid: number; role: string }> {
  const { rows } = await client.query<{ version: number; name: string; pid: number; role: string }>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as name,
       pg_backend_pid() as pid, current_user as role`,
  );
  const found = rows[0];
  if (found === undefined || found.version < SERVER_MAJOR_MIN * 10_000) {
    throw new MigrationError(
      `Pointkeeper needs PostgreSQL ${SERVER_MAJOR_MIN} or later; this server is ${found?.name ?? "unknown"}.`,
    );
  }
  return found;
}

/**
 * Takes the lock of the node that migrates, by polling. A statement that waited for it would hold a snapshot, and a node that creates an
 * index concurrently waits for all snapshots: the two would deadlock.
 */
async function takeTurn({ client, log, lockTimeoutMs, otherNodeMs }: Run): Promise<void> {
  const giveUpAt = performance.now() + otherNodeMs;
  let tellMs = Math.min(lockTimeoutMs, TELL_MS_MAX);
  let tellAt = performance.now() + tellMs;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1, $2) as mine", [...LOCK]);
    if (rows[0]?.mine === true) return;
    const now = performance.now();
    if (now > giveUpAt) {
      const holders = (await readLockHolders(client, LOCK)).map(blockerText).join(", ");
      throw new MigrationError(
        `Another node has been migrating this database for ${durationText(otherNodeMs)}, longer than a migration waits for its locks: ${holders}. Start again when it is done. Where it hangs, end that process: the next start begins its migration again.`,
      );
    }
    if (now > tellAt) {
      tellMs = Math.min(2 * tellMs, TELL_MS_MAX);
      tellAt = now + tellMs;
      const holders = await readLockHolders(client, LOCK);
      log?.warn({ waitsFor: holders }, "another node migrates this database: waiting for it");
    }
    await delay(TURN_MS);
  }
}

function durationText(ms: number): string {
  return ms < 120_000 ? `${ms / 1_000} s` : `${Math.round(ms / 60_000)} minutes`;
}

async function applyPatiently(run: Run, migration: Migration): Promise<void> {
  const { watch, log, tries, lockTimeoutMs, concurrentLockMs } = run;
  const waited = durationText(migration.steps === null ? lockTimeoutMs : concurrentLockMs);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (migration.steps === null
        ? apply(run.client, migration)
        : applyOutside(run, migration, migration.steps));
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (!LOCK_STATES.includes(sqlState(cause) ?? "")) throw error;
      const holders = watch.last().map(blockerText).join(", ") || "sessions that have ended since";
      if (attempt >= tries) {
        throw new MigrationError(
          `The migration ${migration.name} was not applied: in ${tries} tries of ${waited} it did not get a lock held by ${holders}. End that session, or start again when it is done.`,
          { cause },
        );
      }
      log?.warn(
        { migration: migration.name, attempt, tries, waitsFor: watch.last() },
        "a migration did not get a lock in time: it rests, so that others get theirs, and tries again",
      );
      await delay(lockTimeoutMs);
    }
  }
}

/**
 * Runs each statement separately. If one is killed or fails halfway, the file begins again at its first statement, which it allows
 * (docs/upgrade.md).
 */
async function applyOutside(
  { client, lockTimeoutMs, concurrentLockMs }: Run,
  migration: Migration,
  steps: readonly string[],
): Promise<void> {
  try {
    // waiting for the end of old transactions, to create an index concurrently, blocks nothing
    await setLockTimeout(client, concurrentLockMs);
    for (const step of steps) await client.query(step);
    await client.query(INSERT, [migration.number, migration.name, migration.sha256]);
  } catch (error) {
    throw failed(migration, error);
  } finally {
    await setLockTimeout(client, lockTimeoutMs).catch(() => {});
  }
}

async function setLockTimeout(client: pg.Client, ms: number): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(ms)]);
}

function failed(migration: Migration, error: unknown): MigrationError {
  const reason = error instanceof Error ? error.message : String(error);
  return new MigrationError(`The migration ${migration.name} failed: ${reason}`, { cause: error });
}

const INSERT = `
insert into migration (number, name, sha256)
values ($1, $2, $3)`;

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await run(client, { ...migration, sql: await readMigrationText(client, migration) });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw failed(migration, error);
  }
}

async function run(client: pg.Client, { number, name, sha256, sql }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(INSERT, [number, name, sha256]);
}

/**
 * Applies migrations to an empty database in the caller's transaction, all or none. Indexes that are otherwise created concurrently, which
 * no transaction may do, are created normally: there are no rows, and nobody writes.
 * @throws MigrationError for a PostgreSQL before 15
 */
export async function applyInTransaction(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await assertVersion(client);
  await client.query(CREATE_TABLE);
  for (const migration of migrations) {
    const sql =
      migration.steps === null ? migration.sql : migration.sql.replaceAll(/\bindex concurrently\b/gi, "index");
    await run(client, { ...migration, sql });
  }
}
