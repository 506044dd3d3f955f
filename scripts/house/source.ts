import { type Lexed, lex } from "./lex.ts";

/** A TypeScript file of the project; `path` is relative to the root, with slashes. */
export interface Source extends Lexed {
  readonly path: string;
  readonly text: string;
}

/** One fault: shown as `path:line rule: message`. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** Says that a rule does not hold at one place, and why. One that nothing needs is itself a fault. */
export interface Exception {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

export function toSource(path: string, text: string): Source {
  return { path, text, ...lex(text, path.endsWith(".tsx")) };
}

export function showViolation(violation: Violation): string {
  return `${violation.path}:${violation.line} ${violation.rule}: ${violation.message}`;
}

/** The 1-based line of an index. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Every match of `pattern` in the code of a source (not in its strings or comments), as violations of `rule`. */
export function findInCode(source: Source, pattern: RegExp, rule: string, message: string): Violation[] {
  return [...source.code.matchAll(pattern)].map((match) => ({
    path: source.path,
    line: lineAt(source.code, match.index),
    rule,
    message: `${message} (${match[0].trim()})`,
  }));
}

/** Drops what an exception allows; an exception without a reason or without a use is a violation of its own. */
export function applyExceptions(violations: readonly Violation[], exceptions: readonly Exception[]): Violation[] {
  const stands = (v: Violation) => !exceptions.some((e) => e.rule === v.rule && e.path === v.path);
  const stale = exceptions
    .filter((e) => e.reason.trim().length < 15 || !violations.some((v) => e.rule === v.rule && e.path === v.path))
    .map((e) => ({
      path: e.path,
      line: 1,
      rule: e.rule,
      message: "exception without a reason, or that nothing needs",
    }));
  return [...violations.filter(stands), ...stale];
}

export function isTest(path: string): boolean {
  return path.endsWith(".test.ts");
}
