import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Log } from "../deps.ts";

const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const FILE_NAME = /^(\d{4})_[a-z0-9_-]+\.sql$/;
/** A session's advisory lock in the migrated database: one node migrates, the others wait and find it done. */
const LOCK = [7_065_734, 3] as const;
const SERVER_VERSION_MIN = 150_000;

/** The database cannot be brought to this code's version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface MigrateOptions {
  /** The folder of `0001_name.sql` files; the project's own when absent. */
  readonly dir?: string;
  readonly log?: Log;
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

interface AppliedRow {
  number: number;
  name: string;
  sha256: string;
}

/**
 * Applies the migrations that the database lacks, in order, each in one transaction with its row in `migration`; answers how many. Safe
 * when several nodes start at once (program.md 8).
 * @throws MigrationError for a PostgreSQL before 15, a database of a newer Pointkeeper, or an applied file that was changed
 */
export async function migrate(connection: pg.ClientConfig, options: MigrateOptions = {}): Promise<number> {
  const files = await readMigrations(options.dir ?? MIGRATIONS_DIR);
  const client = new pg.Client(connection);
  client.on("error", () => {}); // the statement that runs is rejected too
  await client.connect();
  try {
    await assertVersion(client);
    await client.query("select pg_advisory_lock($1, $2)", [...LOCK]);
    const pending = selectPending(files, await readApplied(client));
    for (const migration of pending) {
      await apply(client, migration);
      options.log?.info({ migration: migration.name }, "migration applied");
    }
    return pending.length;
  } finally {
    await client.end();
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const number = Number(FILE_NAME.exec(name)?.[1]);
      if (Number.isNaN(number)) throw new MigrationError(`The file ${name} of ${dir} is not named like 0001_name.sql.`);
      const sql = await readFile(join(dir, name), "utf8");
      return { number, name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
  for (const [i, { name, number }] of migrations.entries()) {
    if (migrations[i - 1]?.number === number)
      throw new MigrationError(`The file ${name} of ${dir} has the number of another one.`);
  }
  return migrations;
}

async function assertVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string }>(
    "select current_setting('server_version_num')::integer as version, current_setting('server_version') as name",
  );
  const found = rows[0];
  if (found === undefined || found.version < SERVER_VERSION_MIN) {
    throw new MigrationError(`Pointkeeper needs PostgreSQL 15 or later; this server is ${found?.name ?? "unknown"}.`);
  }
}

async function readApplied(client: pg.Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('migration') is not null as found");
  if (rows[0]?.found !== true) {
    await client.query(`
      create table migration (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`);
  }
  const applied = await client.query<AppliedRow>(`
    select number, name, sha256
    from migration
    order by number`);
  return applied.rows;
}

function selectPending(files: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  const byNumber = new Map(files.map((file) => [file.number, file]));
  for (const row of applied) {
    const file = byNumber.get(row.number);
    if (file === undefined) {
      throw new MigrationError(
        `The database was used by a newer Pointkeeper: it has the migration ${row.name}, which this one does not know. Start that version or a later one.`,
      );
    }
    if (file.sha256 !== row.sha256) {
      throw new MigrationError(
        `The migration ${file.name} was changed after this database got it. Restore the file; a change needs a migration of its own.`,
      );
    }
  }
  const last = applied.at(-1)?.number ?? 0;
  const appliedNumbers = new Set(applied.map((row) => row.number));
  const pending = files.filter((file) => !appliedNumbers.has(file.number));
  const late = pending.find((file) => file.number < last);
  if (late !== undefined) {
    throw new MigrationError(
      `The migration ${late.name} comes before one that this database already has. Give it the next free number.`,
    );
  }
  return pending;
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query(
      `
      insert into migration (number, name, sha256)
      values ($1, $2, $3)`,
      [migration.number, migration.name, migration.sha256],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw new MigrationError(
      `The migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
