/** A string, template text or comment: its start (index and 1-based line) and its text without quotes. */
export interface Piece {
  readonly start: number;
  readonly line: number;
  readonly text: string;
}

/** An import or re-export. `target` is a path in the project if it is relative, otherwise the package's name as written. */
export interface Import {
  readonly from: string;
  readonly line: number;
  readonly target: string;
  readonly isRelative: boolean;
  /** Every imported name is marked `type`. */
  readonly isType: boolean;
}

/** A TypeScript file of the project; `path` is relative to the root, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  /** The text with the contents of strings, regular expressions and comments blanked, with the same length and lines. */
  readonly code: string;
  /** A template is one piece; each `${...}` in it is left as `${}`. */
  readonly strings: readonly Piece[];
  readonly comments: readonly Piece[];
  readonly imports: readonly Import[];
  /** The exported names. */
  readonly exports: readonly Piece[];
  /** Every `any`, cast and `!`. */
  readonly unchecked: readonly { readonly kind: "any" | "cast" | "non-null"; readonly line: number }[];
  /** Every function with a body in braces: its lines, and the text from its first line to the body. */
  readonly functions: readonly { readonly line: number; readonly lines: number; readonly head: string }[];
}

/** One violation, shown as `path:line rule: message`. */
export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** An exception from a rule at one place, with a reason. An unused exception is itself a violation. */
export interface Exception {
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
}

export function showViolation(violation: Violation): string {
  return `${violation.path}:${violation.line} ${violation.rule}: ${violation.message}`;
}

/** Returns the 1-based line of an index. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Returns every match of `pattern` in the code of a source (not in its strings or comments) as a violation of `rule`. */
export function findInCode(source: Source, pattern: RegExp, rule: string, message: string): Violation[] {
  return [...source.code.matchAll(pattern)].map((match) => ({
    path: source.path,
    line: lineAt(source.code, match.index),
    rule,
    message: `${message} (${match[0].trim()})`,
  }));
}

/** Removes the violations that an exception allows; an exception without a reason or without a use is itself a violation. */
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
