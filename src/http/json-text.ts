import type { Fault } from "../problems.ts";

/** What parsing needs care: digits that a number would lose, exponents, and members that reach for a prototype. */
const NEEDS_CARE = /\d{16}|\d[eE]\+?\d|__proto__|\\u005[fF]/;
/** Escapes that may stand for U+0000 or for half of a surrogate pair. */
const MAY_HOLD_BAD_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses JSON text (program.md 1). A number beyond 2^53 becomes its own digits as a string, so an id survives and a value is no
 * integer any more; `__proto__` members are dropped. Throws SyntaxError, or RangeError where it is nested too deep.
 */
export function parseJson(text: string): unknown {
  return NEEDS_CARE.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(key: string, value: unknown, context?: { source?: string }): unknown {
  if (key === "__proto__") return undefined;
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const isFraction = Number.isFinite(value) && !Number.isInteger(value);
  return isFraction ? value : (context?.source ?? String(value));
}

/** The faults of strings that PostgreSQL or UTF-8 cannot hold: U+0000 and lone surrogates (program.md 1), by JSON pointer. */
export function textFaults(text: string, body: unknown): Fault[] {
  return MAY_HOLD_BAD_TEXT.test(text) ? badTexts(body, "") : [];
}

/** Whether a string may be stored and sent: no U+0000 and no lone surrogate. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export const CLEAN_TEXT_DETAIL = "expected text without U+0000 and without lone surrogates";

function badTexts(value: unknown, pointer: string): Fault[] {
  if (typeof value === "string") return isCleanText(value) ? [] : [{ pointer, detail: CLEAN_TEXT_DETAIL }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (!isCleanText(name)) return [{ pointer, detail: `${CLEAN_TEXT_DETAIL} in names of members` }];
    return badTexts(member, `${pointer}/${pointerPart(name)}`);
  });
}

/** One part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
