import { featureOf } from "./imports.ts";
import { POINT_TABLES, TABLE_OWNERS, TABLES_OF_CODE } from "./rules.ts";
import { isTest, lineAt, type Source, type Violation } from "./source.ts";

/** A migration: plain SQL. */
export interface Migration {
  readonly path: string;
  readonly text: string;
}

interface Write {
  readonly path: string;
  readonly line: number;
  readonly table: string;
}

const WRITE =
  /(?<!\bfor\s+)(?<!\bno\s+key\s+)(?<!\bdo\s+)(?<!\bon\s+)\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+(?:only\s+)?"?(\$\{|[a-z_]+)/gi;
const MACHINE_CLOCK =
  /\bnow\(\)|\b(?:clock|statement|transaction)_timestamp\(\)|\bcurrent_(?:timestamp|date|time)\b|\blocaltime(?:stamp)?\b/gi;
const UPPER_SQL = /\b(?:SELECT\b[\s\S]*\bFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)\b/g;

/** Tables by name; a partition is named with its parent. */
function tablesOf(
  migrations: readonly Migration[],
): Map<string, { path: string; line: number; parent: string | undefined }> {
  const tables = new Map<string, { path: string; line: number; parent: string | undefined }>();
  for (const { path, text } of migrations) {
    const found = text.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)(?:\s+partition of (\w+))?/gim);
    for (const match of found) tables.set(match[1] ?? "", { path, line: lineAt(text, match.index), parent: match[2] });
  }
  return tables;
}

/** ARCHITECTURE.md, Layout: any feature may read any table; only its owner writes it. */
export function tableOwnership(sources: readonly Source[], migrations: readonly Migration[]): Violation[] {
  const tables = tablesOf(migrations);
  const violation = (path: string, line: number, message: string) => ({ path, line, rule: "table-owner", message });
  const unowned = [...tables]
    .filter(([name, table]) => TABLE_OWNERS[table.parent ?? name] === undefined)
    .map(([name, table]) =>
      violation(table.path, table.line, `table ${name} has no owner in scripts/architecture/rules.ts`),
    );
  const unmade = Object.keys(TABLE_OWNERS)
    .filter((name) => !tables.has(name) && !TABLES_OF_CODE.includes(name))
    .map((name) =>
      violation("scripts/architecture/rules.ts", 1, `table ${name} has an owner but no migration makes it`),
    );
  const foreign = writesOf(sources).flatMap((write) => {
    const owner = TABLE_OWNERS[tables.get(write.table)?.parent ?? write.table];
    if (write.table === "${") return [violation(write.path, write.line, "a table that is written stands by its name")];
    if (owner === undefined || owner === featureOf(write.path)) return [];
    return [violation(write.path, write.line, `${write.table} is written by ${owner} alone`)];
  });
  return [...unowned, ...unmade, ...foreign];
}

function writesOf(sources: readonly Source[]): Write[] {
  return sources
    .filter((source) => source.path.startsWith("src/") && !isTest(source.path))
    .flatMap((source) =>
      source.strings.flatMap((piece) =>
        [...piece.text.matchAll(WRITE)].map((match) => ({
          path: source.path,
          line: piece.line + lineAt(piece.text, match.index) - 1,
          table: (match[1] ?? "").toLowerCase(),
        })),
      ),
    );
}

/** ARCHITECTURE.md, "The ledger": points are written by `ledger/change-balances` and the modules that only it uses. */
export function pointWriters(sources: readonly Source[]): Violation[] {
  const root = "src/ledger/change-balances.ts";
  const writers = new Set(
    writesOf(sources)
      .filter((w) => POINT_TABLES.includes(w.table))
      .map((w) => w.path),
  );
  return sources
    .filter((s) => s.path.startsWith("src/") && !isTest(s.path) && s.path !== root && !writers.has(s.path))
    .flatMap((s) =>
      s.imports
        .filter((i) => !i.isType && i.target !== root && writers.has(i.target))
        .map((i) => ({
          path: s.path,
          line: i.line,
          rule: "point-writer",
          message: `${i.target} writes points: only ${root} may use it`,
        })),
    );
}

/**
 * CONTRIBUTING.md, "Rules that the checks enforce": business times come from the injected clock; `now()` is for leases,
 * timeouts and partitions.
 */
export function machineClock(sources: readonly Source[], migrations: readonly Migration[]): Violation[] {
  const violation = (path: string, line: number, found: string) => ({
    path,
    line,
    rule: "machine-clock",
    message: `SQL reads the machine's clock (${found})`,
  });
  const inSources = sources
    .filter((s) => s.path.startsWith("src/") && !isTest(s.path))
    .flatMap((source) =>
      source.strings.flatMap((piece) =>
        [...piece.text.matchAll(MACHINE_CLOCK)].map((m) =>
          violation(source.path, piece.line + lineAt(piece.text, m.index) - 1, m[0]),
        ),
      ),
    );
  const inMigrations = migrations.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(MACHINE_CLOCK)].map((m) => violation(path, lineAt(text, m.index), m[0])),
  );
  return [...inSources, ...inMigrations];
}

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, (comment) => " ".repeat(comment.length));
}

/** SQL is lower-case. */
export function sqlCase(sources: readonly Source[], migrations: readonly Migration[]): Violation[] {
  const rule = "sql-case";
  const message = "SQL is written in lower case";
  const inSources = sources
    .filter((s) => s.path.startsWith("src/"))
    .flatMap((source) =>
      source.strings
        .filter((piece) => piece.text.search(UPPER_SQL) !== -1)
        .map((p) => ({ path: source.path, line: p.line, rule, message })),
    );
  const inMigrations = migrations.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(UPPER_SQL)].map((m) => ({ path, line: lineAt(text, m.index), rule, message })),
  );
  return [...inSources, ...inMigrations];
}

/** Migrations are numbered from 0001 without gaps or duplicates. */
export function migrationNumbers(migrations: readonly Migration[]): Violation[] {
  return [...migrations]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path }, index) => {
      const expected = `migrations/${String(index + 1).padStart(4, "0")}_`;
      if (path.startsWith(expected) && /^migrations\/\d{4}_[a-z0-9_]+\.sql$/.test(path)) return [];
      return [{ path, line: 1, rule: "migration-number", message: `expected ${expected}<name>.sql` }];
    });
}
