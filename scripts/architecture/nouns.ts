import { featureOf } from "./imports.ts";
import { findInCode, type Import, isTest, lineAt, type Source, type Violation } from "./source.ts";

/** Folders and root files of infrastructure, neither noun nor verb. */
const MACHINERY = new Set([
  ...["db", "http", "instruments", "jobs", "prometheus", "start", "commands", "backup", "object-store"],
  ...[
    "config",
    "config-groups",
    "mail-settings",
    "oidc-settings",
    "deps",
    "create-deps",
    "problems",
    "clock",
    "random",
    "log",
    "file-calls",
    "kill-if-hanging",
    "wait-at-most",
    "app",
    "main",
    "cli",
  ],
]);
/** Names reserved in every feature for modules that do I/O but are not verbs: `queries.ts`, `coupon-queries.ts`. */
const RESERVED = /(?:^|[/-])(?:routes|queries)\.ts$/;

/** Modules of Node and packages that only compute. */
const PURE_IMPORTS = new Set([
  "node:crypto",
  "node:buffer",
  "node:net",
  "node:util",
  "node:assert/strict",
  "typebox",
  "typebox/value",
  "ipaddr.js",
]);

const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:async|await)\b/g, "a noun is not async; a verb exports one function of its file's name, deps or tx first"],
  [/\bnew Promise\b|\.then\(/g, "a noun makes no promises"],
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b|\bhrtime\b/g, "a noun reads no clock"],
  [/\bMath\.random\b|\brandom(?:UUID|UUIDv7|Bytes|Int|FillSync)\b|\bgetRandomValues\b/g, "a noun has no randomness"],
  [/(?<![.\w])process\b/g, "a noun knows no process"],
  [/\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\s*\(/g, "a noun does no I/O"],
  [/\bthrow new Problem\b|\bthrow invalid\b/g, "pure code returns a refusal; verbs throw Problem"],
  [/^let\s+\w+/gm, "a noun keeps no state"],
];

/** The name of the function that makes a file a verb, if its first argument is one of a verb. */
const verbName = (path: string): string =>
  (path.split("/").at(-1) ?? "").replace(/\.ts$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export type Kind = "verb" | "noun" | "reserved" | "machinery" | "test";

/** Returns the kind of a module of src. A verb exports a function of the file's name whose first argument is `deps`, `tx`, `db` or `queryable`. */
export function kindOf(source: Source): Kind {
  if (isTest(source.path)) return "test";
  if (MACHINERY.has(featureOf(source.path) ?? "")) return "machinery";
  if (RESERVED.test(source.path)) return "reserved";
  const name = verbName(source.path);
  const isVerb = new RegExp(
    `^export (?:async )?function\\*? ?${name}(?:<[^(]*>)?\\(\\s*(?:deps|tx|db|queryable)\\b`,
    "m",
  ).test(source.code);
  return isVerb ? "verb" : "noun";
}

/**
 * CONTRIBUTING.md, "How the code is laid out": a module that is not a verb has no async, clock, randomness, environment or database. Reports one
 * violation of each kind per file.
 */
export function nounPurity(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => source.path.startsWith("src/") && kindOf(source) === "noun")
    .flatMap((source) => [
      ...IMPURE.flatMap(([pattern, message]) => findInCode(source, pattern, "noun-purity", message).slice(0, 1)),
      ...source.imports
        .filter((i) => !i.isType && isImpure(i, sources))
        .map((i) => ({
          path: source.path,
          line: i.line,
          rule: "noun-purity",
          message: `a noun does not import ${i.target}`,
        })),
    ]);
}

/** A module of infrastructure may be imported if it is pure itself: constants, types, parsers. */
function isImpure(i: Import, sources: readonly Source[]): boolean {
  if (!i.isRelative) return !PURE_IMPORTS.has(i.target);
  if (!MACHINERY.has(featureOf(i.target) ?? "")) return false;
  const target = sources.find((source) => source.path === i.target);
  if (target === undefined) return true;
  const isItself = IMPURE.some(([pattern]) => findInCode(target, pattern, "", "").length > 0);
  return isItself || target.imports.some((next) => !next.isType && next.target !== i.from && isImpure(next, sources));
}

/** A noun must not call a verb either: it would become async, or have a floating promise. */
export function nounsCallNoVerbs(sources: readonly Source[]): Violation[] {
  const verbs = new Set(sources.filter((s) => s.path.startsWith("src/") && kindOf(s) === "verb").map((s) => s.path));
  const isList = (path: string) => /\/(?:index|schedule)\.ts$/.test(path);
  return sources
    .filter((s) => s.path.startsWith("src/") && kindOf(s) === "noun" && !isList(s.path))
    .flatMap((source) =>
      source.imports
        .filter((i) => !i.isType && verbs.has(i.target))
        .map((i) => ({
          path: source.path,
          line: i.line,
          rule: "noun-calls-verb",
          message: `a noun does not import the verb ${i.target}`,
        })),
    );
}

/** A verb module exports one function with its file's name; it may also export types and constants. */
export function oneVerbAFile(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => source.path.startsWith("src/") && kindOf(source) === "verb")
    .flatMap((source) =>
      [
        ...source.code.matchAll(
          /^export (?:async )?function\*? ?(\w+)|^export (?:const|let) (\w+)[^=]*=\s*(?:async\s*)?(?:\(|function)/gm,
        ),
      ]
        .filter((match) => (match[1] ?? match[2]) !== verbName(source.path))
        .map((match) => ({
          path: source.path,
          line: lineAt(source.code, match.index),
          rule: "one-verb-a-file",
          message: `exports ${match[1] ?? match[2]} beside ${verbName(source.path)}`,
        })),
    );
}
