import type { Source, Violation } from "./source.ts";

/** Places that TypeScript or Biome ignore, by kind; each needs a reason beside it. */
export interface Overlooked extends Violation {
  readonly kind: "any" | "cast" | "non-null" | "ignore";
  readonly hasReason: boolean;
}

const IGNORE = /biome-ignore|@ts-(?:expect-error|ignore|nocheck)|(?:v8|istanbul|c8) ignore/;
const IGNORE_REASON = /biome-ignore(?:-\w+)? [\w/]+: \S.{9,}|@ts-expect-error[ :]+\S.{9,}/;
const REASON =
  /\b(?:cast|any|non-null)\b: *\S.{5,}|biome-ignore lint\/(?:style\/noNonNullAssertion|suspicious\/noExplicitAny): \S.{9,}/;

/** Returns every `any`, cast, `!` and ignore comment of a source, and whether it has a reason (in the same statement, or above). */
export function overlooked(source: Source): Overlooked[] {
  const entry = (kind: Overlooked["kind"], line: number, hasReason: boolean, message: string): Overlooked => {
    return { path: source.path, line, rule: "reason", message, kind, hasReason };
  };
  const marks = source.unchecked.map(({ kind, line }) =>
    entry(kind, line, reasonNear(source, line), `${kind} without a reason beside it`),
  );
  const ignores = source.comments
    .filter((c) => IGNORE.test(c.text))
    .map((c) => entry("ignore", c.line, IGNORE_REASON.test(c.text), `ignore without a reason: ${c.text.trim()}`));
  return [...marks, ...ignores];
}

/** Whether there is a reason in a comment on the lines of the statement from `line` on (four at most), or right above it. */
function reasonNear(source: Source, line: number): boolean {
  const code = source.code.split("\n");
  const text = source.text.split("\n");
  let last = line;
  while (last < line + 3 && !/[;,{]\s*$/.test(code[last - 1] ?? ";")) last++;
  let first = line;
  while (first > 1 && (code[first - 2] ?? "").trim() === "" && (text[first - 2] ?? "").trim() !== "") first--;
  return source.comments.some((c) => c.line >= first && c.line <= last && REASON.test(c.text));
}
