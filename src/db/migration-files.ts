import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";

/** The project's own migrations. */
export const MIGRATIONS_DIR = fileURLToPath(new URL("../../migrations", import.meta.url));
const FILE_NAME = /^(\d{4})_[a-z0-9_-]+\.sql$/;

/** The database cannot be brought to this code's version; the message says what to do. */
export class MigrationError extends Error {
  override readonly name: string = "MigrationError";
}

/** The database's schema is neither that of this code nor an earlier one that `migrate` could upgrade. */
export class SchemaError extends MigrationError {
  override readonly name = "SchemaError";
}

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
  /** Its statements, run separately, if it says that it runs outside a transaction; null: it runs in one. */
  readonly steps: readonly string[] | null;
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

/** Reads the migrations of a folder, in order. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const number = Number(FILE_NAME.exec(name)?.[1]);
      if (Number.isNaN(number)) throw new MigrationError(`The file ${name} of ${dir} is not named like 0001_name.sql.`);
      const sql = await readFile(join(dir, name), "utf8");
      return { number, name, sql, steps: stepsOf(sql), sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
  for (const [i, { name, number }] of migrations.entries()) {
    if (migrations[i - 1]?.number === number)
      throw new MigrationError(`The file ${name} of ${dir} has the number of another one.`);
  }
  return migrations;
}

const OUTSIDE = "-- outside a transaction";

/** Returns the statements of a file whose first line says that it runs outside a transaction (concurrent indexes); a statement ends with its line. */
function stepsOf(sql: string): string[] | null {
  if (!sql.startsWith(OUTSIDE)) return null;
  return sql
    .split(/;[^\S\n]*(?:--[^\n]*)?(?:\n|$)/)
    .map((text) => text.replace(/^\s*--.*$/gm, "").trim())
    .filter((text) => text !== "");
}

/** Reads the applied migrations, in order; empty if there is no table `migration`. */
export async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('migration') is not null as found");
  if (rows[0]?.found !== true) return [];
  const applied = await client.query<AppliedMigration>(`
    select number, name, sha256
    from migration
    order by number`);
  return applied.rows;
}

/** The name of a migration after which no earlier version can serve (docs/upgrade.md); any other one only expands. */
const CONTRACTS = /^\d{4}_contracts_/;

/**
 * Returns the migrations of a newer Pointkeeper on whose schema this one can serve, because they only expand it: those of the next release,
 * after a return to this release. Empty if one of them contracts, or if the database lacks a file of this release.
 */
export function selectExpanding(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly AppliedMigration[] {
  const newer = applied.slice(files.length);
  const isWhole = files.every(
    ({ number, sha256 }, i) => applied[i]?.number === number && applied[i]?.sha256 === sha256,
  );
  return files.length > 0 && isWhole && newer.every(({ name }) => !CONTRACTS.test(name)) ? newer : [];
}

/**
 * Returns the files that a database lacks, in order.
 * @throws SchemaError for a database of a newer Pointkeeper, or an applied file that was changed
 */
export function selectPending(files: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byNumber = new Map(files.map((file) => [file.number, file]));
  for (const row of applied) {
    const file = byNumber.get(row.number);
    if (file === undefined) {
      throw new SchemaError(
        `The database was used by a newer Pointkeeper: it has the migration ${row.name}, which this one does not know. Start that version or a later one.`,
      );
    }
    if (file.sha256 !== row.sha256) {
      throw new SchemaError(
        `The migration ${file.name} was changed after this database got it. Restore the file; a change needs a migration of its own.`,
      );
    }
  }
  const last = applied.at(-1)?.number ?? 0;
  const appliedNumbers = new Set(applied.map((row) => row.number));
  const pending = files.filter((file) => !appliedNumbers.has(file.number));
  const late = pending.find((file) => file.number < last);
  if (late !== undefined) {
    throw new SchemaError(
      `The migration ${late.name} comes before one that this database already has. Give it the next free number.`,
    );
  }
  return pending;
}
