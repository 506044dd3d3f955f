import { dirname, join } from "node:path/posix";
import { LEVELS } from "./lists.ts";
import { isTest, lineAt, type Source, type Violation } from "./source.ts";

/** An import or re-export: `target` is a path in the project for a relative one, else the package's name as written. */
export interface Import {
  readonly from: string;
  readonly line: number;
  readonly target: string;
  readonly isRelative: boolean;
  readonly isType: boolean;
}

const STATEMENT = /(?:^|\n)[ \t]*(?:import|export)\b((?:[^;"'=()]*?\bfrom\b)?)\s*(?=["'])/g;
const DYNAMIC = /\bimport\s*\(\s*(?=["'`])/g;

/** Reads the imports of a source; one whose every name is marked `type` counts as a type import. */
export function importsOf(source: Source): Import[] {
  const statements = [...source.code.matchAll(STATEMENT)].map((match) => ({
    end: match.index + match[0].length,
    isType: isTypeClause(match[1] ?? ""),
  }));
  const dynamic = [...source.code.matchAll(DYNAMIC)].map((match) => ({
    end: match.index + match[0].length,
    isType: false,
  }));
  return [...statements, ...dynamic].flatMap(({ end, isType }) => {
    const piece = source.strings.find((s) => s.start === end);
    if (piece === undefined) return [];
    const isRelative = piece.text.startsWith(".");
    const target = isRelative ? join(dirname(source.path), piece.text) : piece.text;
    return [{ from: source.path, line: lineAt(source.code, end), target, isRelative, isType }];
  });
}

function isTypeClause(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*from$/
    .exec(clause)?.[1]
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names !== undefined && names.length > 0 && names.every((name) => name.startsWith("type "));
}

/** The folder or root file of src that a path belongs to: "ledger", "config"; undefined outside src. */
export function featureOf(path: string): string | undefined {
  return /^src\/([^/.]+)/.exec(path)?.[1];
}

/**
 * ARCHITECTURE.md, Layout: imports go one way; `deps.ts` is imported as types only and may name every feature's types.
 */
export function importDirection(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => source.path.startsWith("src/"))
    .flatMap((source) => {
      const feature = featureOf(source.path) ?? "";
      const imports = importsOf(source).filter((i) => i.isRelative);
      const unknown = LEVELS.has(feature)
        ? []
        : [{ line: 1, message: `src/${feature} has no level in scripts/house/lists.ts` }];
      const wrong = imports.flatMap((i) => {
        const message = wrongWay(source.path, i);
        return message === undefined ? [] : [{ line: i.line, message }];
      });
      return [...unknown, ...wrong].map((v) => ({ path: source.path, rule: "import-direction", ...v }));
    });
}

function wrongWay(path: string, i: Import): string | undefined {
  const from = featureOf(path) ?? "";
  const to = featureOf(i.target);
  if (to === undefined) {
    const allowed = isTest(path) && /^test\/(support|fixtures)\//.test(i.target);
    return allowed || i.target === "package.json" ? undefined : `src imports nothing outside src (${i.target})`;
  }
  if (from === to) return undefined;
  if (to === "deps") return i.isType || isTest(path) ? undefined : "deps.ts has types only: import type";
  if (from === "deps") return i.isType ? undefined : "deps.ts imports types only";
  const [low, high] = [LEVELS.get(to) ?? 0, LEVELS.get(from) ?? 0];
  return low < high ? undefined : `${from} may not import ${to} (${i.target})`;
}

/** Files whose type imports count as well: a reader of the ledger follows them in one direction. */
const NO_TYPE_CYCLES = /^src\/(?:ledger\/|deps\.ts$)/;

/** Modules that need each other to load: each cycle once, named by its files. Type imports do not load. */
export function importCycles(sources: readonly Source[]): Violation[] {
  const graph = new Map(
    sources.map((s) => [
      s.path,
      importsOf(s)
        .filter((i) => i.isRelative && (!i.isType || NO_TYPE_CYCLES.test(s.path)))
        .map((i) => i.target),
    ]),
  );
  const done = new Set<string>();
  const found: Violation[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) {
      const message = [...trail.slice(at), path].join(" -> ");
      found.push({ path, line: 1, rule: "import-cycle", message });
    }
    if (at !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

/** Models of tests import nothing of the service: they would agree with its faults. */
export function modelImports(sources: readonly Source[]): Violation[] {
  return sources
    .filter((source) => /^test\/.*\b(?:model|oracle)\b[^/]*$/.test(source.path) && !isTest(source.path))
    .flatMap(importsOf)
    .filter((i) => i.isRelative && i.target.startsWith("src/"))
    .map((i) => ({
      path: i.from,
      line: i.line,
      rule: "model-imports",
      message: `a model of a test imports ${i.target}`,
    }));
}
