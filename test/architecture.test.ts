import { describe, expect, test } from "vitest";
import { completeLists } from "../scripts/architecture/complete-lists.ts";
import { dashboardFormats, dashboardImports, dashboardPages } from "../scripts/architecture/dashboard.ts";
import {
  documentAnchors,
  documentModules,
  documentPaths,
  namedDocuments,
  ownedTables,
  roomReadmes,
} from "../scripts/architecture/docs.ts";
import { EXCEPTIONS } from "../scripts/architecture/exceptions.ts";
import { importDirection } from "../scripts/architecture/imports.ts";
import { nounPurity, nounsCallNoVerbs, oneVerbAFile } from "../scripts/architecture/nouns.ts";
import { parseSource } from "../scripts/architecture/parse-source.ts";
import { readProject } from "../scripts/architecture/read-project.ts";
import { overlooked } from "../scripts/architecture/reasons.ts";
import { TABLE_OWNERS } from "../scripts/architecture/rules.ts";
import { sizes, style } from "../scripts/architecture/shape.ts";
import { applyExceptions, type Source, showViolation, type Violation } from "../scripts/architecture/source.ts";
import {
  type Migration,
  machineClock,
  migrationNumbers,
  pointWriters,
  sqlCase,
  tableOwnership,
} from "../scripts/architecture/tables.ts";
import { bannedWords, namesTwice } from "../scripts/architecture/vocabulary.ts";

type Rule = (sources: readonly Source[], migrations: readonly Migration[]) => Violation[];

const RULES: Readonly<Record<string, Rule>> = {
  "imports go one way": importDirection,
  "the dashboard and the service know each other by types": dashboardImports,
  "every page has its line in the router": dashboardPages,
  "one module of the dashboard formats what it shows": dashboardFormats,
  "nouns are pure": nounPurity,
  "nouns call no verbs": nounsCallNoVerbs,
  "a verb stands alone in its file": oneVerbAFile,
  "only its owner writes a table": tableOwnership,
  "points are written by change-balances alone": pointWriters,
  "SQL leaves the clock to the service": machineClock,
  "SQL is in lower case": sqlCase,
  "migrations are numbered": (_, migrations) => migrationNumbers(migrations),
  "every list entry has its file and every file its entry": completeLists,
  "handlers and tests are short": sizes,
  "names, exports and manners": style,
  "an exported name stands in one module": (sources) => namesTwice(sources),
  "banned words do not come back": (sources) => bannedWords(sources),
  "any, casts and ignores have reasons": (sources) => sources.flatMap(overlooked).filter((o) => !o.hasReason),
};

const project = readProject();
const { sources, migrations, documents, exists } = project;
const OF_DOCUMENTS: Readonly<Record<string, () => Violation[]>> = {
  "documents name files that exist": () => documentPaths(documents, exists),
  "READMEs name modules that exist": () => documentModules(documents, sources),
  "the README of a folder names the tables that it owns": () => ownedTables(documents, TABLE_OWNERS),
  "larger folders of src explain themselves": () => roomReadmes(sources, exists),
  "links lead to headings that exist": () => documentAnchors(documents),
  "comments name documents and clauses that exist": () => namedDocuments(sources, migrations, documents),
};

describe("the project keeps its rules", () => {
  const violations = Object.entries(RULES).map(([name, rule]) => ({
    name,
    found: rule(project.sources, project.migrations),
  }));
  const names = new Set(violations.flatMap(({ found }) => found.map((v) => v.rule)));

  test.each(violations)("$name", ({ found }) => {
    const rules = new Set(found.map((v) => v.rule));
    expect(
      applyExceptions(
        found,
        EXCEPTIONS.filter((e) => rules.has(e.rule)),
      ).map(showViolation),
    ).toEqual([]);
  });

  test("no exception is stale", () => {
    expect(EXCEPTIONS.filter((e) => !names.has(e.rule))).toEqual([]);
  });

  test.each(Object.entries(OF_DOCUMENTS))("%s", (_name, found) => {
    expect(found().map(showViolation)).toEqual([]);
  });

  test("the rules were given something to read", () => {
    expect(project.sources.length).toBeGreaterThan(20);
    expect(project.migrations.length).toBeGreaterThan(0);
    expect(project.documents.length).toBeGreaterThan(0);
  });
});

const MIGRATION = { path: "migrations/0001_first.sql", text: "create table lot (\n  n bigint);\n" };

/** Each is one file that breaks exactly the rule named, at the line named. */
const PLANTED: readonly (readonly [rule: string, line: number, path: string, text: string])[] = [
  ["import-direction", 1, "src/ledger/a.ts", 'import { b } from "../orders/b.ts";\n'],
  ["import-direction", 2, "src/ledger/a.ts", '\nimport type { B } from "../orders/b.ts";\n'],
  ["import-direction", 1, "src/ledger/a.ts", 'import { b } from "../../test/support/b.ts";\n'],
  ["import-direction", 1, "src/tiers/a.ts", 'import { type Deps, x } from "../deps.ts";\n'],
  ["import-direction", 1, "src/csv/a.ts", 'const a = () => import("../coupons/a.ts");\n'],
  ["import-direction", 1, "src/elsewhere/a.ts", "export const a = 1;\n"],
  ["dashboard-import", 1, "dashboard/pages/a/page.tsx", 'import { B } from "../b/b.tsx";\n'],
  ["dashboard-import", 1, "dashboard/pages/a/page.tsx", 'import { lots } from "../../../src/ledger/schema.ts";\n'],
  ["dashboard-import", 1, "dashboard/pages/a/page.tsx", 'import type { Lot } from "../../../src/ledger/lots.ts";\n'],
  ["dashboard-import", 1, "dashboard/ui/a.tsx", 'import { B } from "../pages/b/page.tsx";\n'],
  ["dashboard-import", 1, "dashboard/ui/a.tsx", 'import { c } from "uqr";\n'],
  ["dashboard-import", 1, "src/admin/a.ts", 'import { b } from "../../dashboard/ui/address.ts";\n'],
  ["dashboard-format", 1, "dashboard/ui/a.tsx", "export const a = (n: number) => n.toLocaleString();\n"],
  ["dashboard-format", 1, "dashboard/pages/a/b.ts", "export const a = new Intl.NumberFormat();\n"],
  ["incomplete-list", 1, "dashboard/pages/a/page.tsx", "export const APage = () => null;\n"],
  ["reason", 1, "dashboard/ui/a.tsx", "export const A = () => <p>{b as string}</p>;\n"],
  ["noun-purity", 1, "src/tiers/a.ts", "export async function load() {}\n"],
  ["noun-purity", 2, "src/tiers/a.ts", "\nexport const a = () => Date.now();\n"],
  ["noun-purity", 1, "src/tiers/a.ts", "export const a = () => new Date();\n"],
  ["noun-purity", 1, "src/tiers/a.ts", "export const a = () => Temporal.Now.instant();\n"],
  ["noun-purity", 1, "src/tiers/a.ts", "export const a = Math.random();\n"],
  ["noun-purity", 1, "src/tiers/a.ts", 'import { readFileSync } from "node:fs";\n'],
  ["noun-purity", 1, "src/tiers/a.ts", 'import { isRetryable } from "../db/pool.ts";\n'],
  ["noun-purity", 1, "src/tiers/a.ts", 'const a = () => { throw new Problem("invalid"); };\n'],
  ["noun-purity", 1, "src/tiers/a.ts", "let count = 0;\n"],
  ["one-verb-a-file", 2, "src/tiers/a-b.ts", "export async function aB(tx: Tx) {}\nexport function other() {}\n"],
  ["table-owner", 1, "src/tiers/queries.ts", "const SQL = `insert into lot values (1)`;\n"],
  ["table-owner", 3, "src/tiers/queries.ts", "const SQL = `\n  with gone as (\n    delete from lot)\n  select 1`;\n"],
  ["table-owner", 1, "src/tiers/queries.ts", "const sql = (table: string) => `update ${table} set n = 1`;\n"],
  ["machine-clock", 2, "src/tiers/queries.ts", "const SQL = `\n  select now()`;\n"],
  ["sql-case", 1, "src/tiers/queries.ts", 'const SQL = "SELECT a FROM b";\n'],
  ["incomplete-list", 1, "src/platforms/some/translate.ts", "export const translate = 1;\n"],
  ["incomplete-list", 1, "src/tiers/routes.ts", "export const routes = 1;\n"],
  ["incomplete-list", 1, "src/admin/tiers/routes.ts", "export const routes = 1;\n"],
  ["function-length", 1, "src/tiers/routes.ts", `app.get("/a", {}, async (request, reply) => {${"\n".repeat(15)}});\n`],
  ["barrel", 1, "src/tiers/index.ts", "export const a = 1;\n"],
  ["own-place", 1, "src/tiers/b/a.ts", "export const a = import.meta.dirname;\n"],
  ["class", 1, "src/tiers/a.ts", "export class Tier {}\n"],
  ["test-manners", 1, "test/a.test.ts", "vi.mock(import.meta.dirname);\n"],
  ["test-manners", 1, "test/a.test.ts", 'test.skipIf(true)("a", () => {});\n'],
  ["test-manners", 1, "test/a.test.ts", "await new Promise((resolve) => setTimeout(resolve, 5));\n"],
  ["reason", 1, "src/tiers/a.ts", "export const a: any = 1;\n"],
  ["reason", 2, "src/tiers/a.ts", "\nexport const a = b as string;\n"],
  ["reason", 1, "src/tiers/a.ts", "export const a = b[0]!.c;\n"],
  ["reason", 1, "src/tiers/a.ts", "// @ts-expect-error\nexport const a = 1;\n"],
];

describe("each rule sees its fault", () => {
  test.each(PLANTED)("%s at line %i of %s", (rule, line, path, text) => {
    const sources = [parseSource(path, text)];
    const found = Object.values(RULES).flatMap((check) => check(sources, [MIGRATION]));
    expect(found.map((v) => [v.rule, v.line])).toContainEqual([rule, line]);
  });

  test("points that another module writes through another part of the ledger", () => {
    const part = parseSource("src/ledger/write-lots.ts", "const SQL = `insert into lot values (1)`;\n");
    const user = parseSource("src/ledger/merge-lots.ts", 'import { writeLots } from "./write-lots.ts";\n');
    expect(pointWriters([part, user]).map(showViolation)).toHaveLength(1);
    expect(pointWriters([part, { ...user, path: "src/ledger/change-balances.ts" }])).toEqual([]);
  });

  test("a noun that calls a verb", () => {
    const verb = parseSource("src/tiers/move-tier.ts", "export async function moveTier(tx: Tx): Promise<void> {}\n");
    const noun = parseSource("src/tiers/tier-evaluation.ts", 'import { moveTier } from "./move-tier.ts";\n');
    expect(nounsCallNoVerbs([verb, noun])).toHaveLength(1);
  });

  test("an exported name in two modules, where it is not allowed", () => {
    const paths = ["src/tiers/a.ts", "src/orders/b.ts", "src/orders/b.test.ts"];
    const both = paths.map((path) => parseSource(path, "const b = 1;\nexport interface Outcome {}\n"));
    expect(namesTwice(both, "").map((v) => [v.path, v.line])).toEqual([
      ["src/tiers/a.ts", 2],
      ["src/orders/b.ts", 2],
    ]);
    expect(namesTwice(both, "Other 3, Outcome")).toEqual([]);
  });

  test("a banned word in a name or a comment, and none in a string", () => {
    const text = 'const readAuditWish = WISH_LIST;\n/** Wishes\n * of wish. */\nconst c = "wish", wishful = 1;\n';
    const banned = { word: /\b(?:wish|wishes)\b/, instead: "query" };
    const found = bannedWords([parseSource("src/a.ts", text)], [{ ...banned, atMost: 3 }]);
    expect(found.map((v) => v.line)).toEqual([1, 1, 2, 3]);
    expect(bannedWords([parseSource("src/a.ts", text)], [{ ...banned, atMost: 4 }])).toEqual([]);
  });

  test("a gap in the migrations", () => {
    expect(migrationNumbers([MIGRATION, { path: "migrations/0003_third.sql", text: "" }])).toHaveLength(1);
  });

  test("a document that names a lost file", () => {
    const document = { path: "docs/a.md", text: "see [b](b.md) and `src/lost.ts`\n" };
    expect(documentPaths([document], () => false).map((v) => v.message)).toEqual([
      "docs/b.md does not exist",
      "src/lost.ts does not exist",
    ]);
  });

  test("a README that names a lost module, or not every table", () => {
    const text =
      "`lots.ts`, `ledger/lots`, `ledger/read`, `read/a.ts`, `other/thing`, `gone.ts`, `ledger/gone`; `lot`, `hold_*`\n```\nGET /ledger/x -> ledger/read -> ledger/lost\n```\n";
    const readme = { path: "src/ledger/README.md", text };
    const code = ["src/ledger/lots.ts", "src/ledger/read/a.ts"].map((path) => parseSource(path, ""));
    expect(documentModules([readme, { path: "docs/a.md", text }], code).map((v) => v.message)).toEqual([
      "no module of the project is gone.ts",
      "no module of the project is ledger/gone",
      "no module of the project is ledger/lost",
    ]);
    const owners = { lot: "ledger", hold_end: "ledger", draw: "ledger", tier: "tiers" };
    expect(ownedTables([readme], owners).map((v) => v.message)).toEqual(["draw is not named"]);
  });

  test("a larger folder without a README", () => {
    const room = Array.from({ length: 8 }, (_, n) => parseSource(`src/tiers/a${n}.ts`, ""));
    expect(roomReadmes(room, () => false).map((v) => v.path)).toEqual(["src/tiers/README.md"]);
    expect(roomReadmes(room.slice(1), () => false)).toEqual([]);
    expect(roomReadmes(room, () => true)).toEqual([]);
  });

  test("an anchor without a heading, and a comment that names no document or no clause of one", () => {
    const a = {
      path: "docs/a.md",
      text: "# Lots of points\n## 4.2 Lists\n[x](#lots-of-points) [y](#lost) [z](b.md#4-b)\n",
    };
    const b = { path: "docs/b.md", text: "## 4. B\n" };
    expect(documentAnchors([a, b]).map(showViolation)).toEqual([
      "docs/a.md:3 document-anchor: docs/a.md has no heading #lost",
    ]);
    const code = parseSource(
      "src/x.ts",
      "// a.md 4.2, docs/b.md 4\nconst s = 'c.md';\n/** As\n * (a.md 4.3) and d.md. */\n",
    );
    const sql = { path: "migrations/0001_x.sql", text: "-- b.md 5\nselect 'e.md';\n" };
    expect(namedDocuments([code], [sql], [a, b]).map(showViolation)).toEqual([
      "src/x.ts:4 named-document: docs/a.md has no clause 4.3",
      "src/x.ts:4 named-document: d.md does not exist",
      "migrations/0001_x.sql:1 named-document: docs/b.md has no clause 5",
    ]);
  });

  test("an exception that nothing needs", () => {
    const exception = { rule: "class", path: "src/a.ts", reason: "was needed once upon a time" };
    expect(applyExceptions([], [exception])).toHaveLength(1);
    expect(applyExceptions([{ ...exception, line: 1, message: "" }], [exception])).toEqual([]);
  });
});

describe("the reader of sources", () => {
  test("tells code from strings, comments and regular expressions", () => {
    const text = 'const a = /["`]/.test(b) ? "// no" : `x ${c("}")} y`; // any: see\n';
    const { code, strings, comments } = parseSource("src/a.ts", text);
    expect(code).toHaveLength(text.length);
    expect(code).toContain('c(" ")');
    expect(strings.map((s) => s.text)).toEqual(["// no", "}", "x ${} y"]);
    expect(comments.map((c) => c.text)).toEqual([" any: see"]);
  });

  test("takes no tag of JSX for a regular expression", () => {
    const text = 'const a = <p title="x">{b}</p>;\nconst c = <br className={d} />; // "e"\n';
    const { code, strings, comments } = parseSource("dashboard/ui/a.tsx", text);
    expect(code).toHaveLength(text.length);
    expect(strings.map((s) => s.text)).toEqual(["x"]);
    expect(comments.map((c) => c.text)).toEqual([' "e"']);
  });

  test("finds the bodies of functions", () => {
    const text = [
      "function a<T>(b: T): Promise<{ c: T }> {",
      "}",
      "const d = async (e: number) => {",
      "};",
      "const f = { g(): string | undefined {",
      "  if (h()) {",
      "  }",
      "} };",
      "const i = (): { j: number } => ({ j: 1 });",
    ].join("\n");
    expect(parseSource("src/a.ts", text).functions.map(({ line, lines }) => [line, lines])).toEqual([
      [1, 2],
      [3, 2],
      [5, 4],
    ]);
  });

  test("takes a reason beside a cast, and no renaming import for a cast", () => {
    const text = [
      'import { a as b } from "./a.ts";',
      'import * as c from "./c.ts";',
      "const d = b as string; // cast: the caller checked it",
      "// cast: the row has one column",
      "const e = c as unknown as number;",
      "const f = [1] as const;",
      "type G<T> = { [K in keyof T as Exclude<K, 'h'>]: T[K] };",
    ].join("\n");
    expect(overlooked(parseSource("src/a.ts", text)).map((o) => [o.line, o.hasReason])).toEqual([
      [3, true],
      [5, true],
      [5, true],
    ]);
  });
});
