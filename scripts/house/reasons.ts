import { lineAt, type Source, type Violation } from "./source.ts";

/** What TypeScript or Biome were told to overlook, by kind; each needs its reason beside it. */
export interface Overlooked extends Violation {
  readonly kind: "any" | "cast" | "non-null" | "ignore";
  readonly hasReason: boolean;
}

/** `<T>x`: where there is JSX, it is an element. */
const ANGLE_CAST = /(?<=[=(,?:]\s*)<\w+>(?=[\w({[])(?![^\n]*=>)/g;

const PATTERNS: readonly (readonly [Overlooked["kind"], RegExp])[] = [
  ["any", /(?<![.\w$])any(?![\w$:(])/g],
  ["cast", /(?<=[\w)\]}"'`>]\s+)as\s+(?!const\b)(?=[\w{[(<"'`$])/g],
  ["cast", ANGLE_CAST],
  ["non-null", /(?<=[\w)\]])!(?=[.[\s;,)\]}:]|$)(?!\s*=)/gm],
];
const IGNORE = /biome-ignore|@ts-(?:expect-error|ignore|nocheck)|(?:v8|istanbul|c8) ignore/;
const IGNORE_REASON = /biome-ignore(?:-\w+)? [\w/]+: \S.{9,}|@ts-expect-error[ :]+\S.{9,}/;
const REASON =
  /\b(?:cast|any|non-null)\b: *\S.{5,}|biome-ignore lint\/(?:style\/noNonNullAssertion|suspicious\/noExplicitAny): \S.{9,}/;

/** Every `any`, cast, `!` and ignore comment of a source, and whether its reason stands beside it (same statement, or above). */
export function overlooked(source: Source): Overlooked[] {
  const code = blankRenaming(source.code);
  const patterns = source.path.endsWith(".tsx") ? PATTERNS.filter(([, pattern]) => pattern !== ANGLE_CAST) : PATTERNS;
  const marks = patterns.flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map((match) => {
      const line = lineAt(code, match.index);
      return entry(source, line, kind, reasonNear(source, code, line), `${kind} without a reason beside it`);
    }),
  );
  const ignores = source.comments
    .filter((c) => IGNORE.test(c.text))
    .map((c) =>
      entry(source, c.line, "ignore", IGNORE_REASON.test(c.text), `ignore without a reason: ${c.text.trim()}`),
    );
  return [...marks, ...ignores];
}

function entry(
  source: Source,
  line: number,
  kind: Overlooked["kind"],
  hasReason: boolean,
  message: string,
): Overlooked {
  return { path: source.path, line, rule: "reason", message, kind, hasReason };
}

const RENAMING =
  /^[ \t]*(?:import|export)\s+(?:type\s+)?(?:\*\s+as\s+\w+|\w+\s*,\s*\{[^}]*\}|\{[^}]*\})|\[\s*\w+\s+in\s[^[\]]*?\sas(?=\s)/gm;

/** Import and export clauses and mapped types use `as` to rename: blanked. */
function blankRenaming(code: string): string {
  return code.replace(RENAMING, (clause) => clause.replace(/[^\n]/g, " "));
}

/** A comment on the lines of the statement from this one on (four at most), or right above it. */
function reasonNear(source: Source, code: string, line: number): boolean {
  const lines = code.split("\n");
  let last = line;
  while (last < line + 3 && !/[;,{]\s*$/.test(lines[last - 1] ?? ";")) last++;
  let first = line;
  while (
    first > 1 &&
    (lines[first - 2] ?? "").trim() === "" &&
    (source.text.split("\n")[first - 2] ?? "").trim() !== ""
  )
    first--;
  return source.comments.some((c) => c.line >= first && c.line <= last && REASON.test(c.text));
}
