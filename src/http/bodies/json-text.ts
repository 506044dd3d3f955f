import { type JsonScan, scanJson, type TextSpan } from "../../json-scan.ts";
import { cutText, type Fault, pushFault } from "../../problems.ts";

const NO_LIMITS = { depth: Number.POSITIVE_INFINITY, elements: Number.POSITIVE_INFINITY };
/** Fields that would change a prototype. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u005[fF]/;
/** Escapes that may represent U+0000 or half of a surrogate pair. */
const MAY_HOLD_BAD_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses JSON text (program.md 1). A number beyond 2^53, or a fraction that a double would round to an integer, becomes a string of its
 * digits, so an id survives and a value is no longer an integer; `__proto__` fields are dropped. Throws SyntaxError. `scan` is the scan of
 * this text: code that reads outside input checks its `excess` first, which also bounds the depth.
 */
export function parseJson(text: string, scan: JsonScan = scanJson(text, NO_LIMITS)): unknown {
  const value: unknown = JSON.parse(quoteSpans(text, scan.lost));
  if (MAY_NAME_PROTOTYPE.test(text)) dropPrototypes(value);
  return value;
}

/** Puts quotes around each span: numbers that would lose digits stay as text. */
function quoteSpans(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), text.slice(start, end));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('"');
}

/** Much cheaper than a reviver, which is called for every value of the text. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const field of Object.values(value)) dropPrototypes(field);
}

/** Returns the faults of strings that PostgreSQL or UTF-8 cannot store (U+0000 and lone surrogates; program.md 1), by JSON pointer. */
export function textFaults(text: string, body: unknown): Fault[] {
  const faults: Fault[] = [];
  if (MAY_HOLD_BAD_TEXT.test(text)) collectBadTexts(body, [], faults);
  return faults;
}

/** Whether a string may be stored and sent: it has no U+0000 and no lone surrogate. */
export function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export const CLEAN_TEXT_DETAIL = "expected text without U+0000 and without lone surrogates";

/** `path` has the names of the fields down to the value; a pointer is built only for faults. */
function collectBadTexts(value: unknown, path: string[], faults: Fault[]): void {
  if (typeof value === "string") {
    if (!isCleanText(value)) pushFault(faults, () => ({ pointer: pointerOf(path), detail: CLEAN_TEXT_DETAIL }));
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (isCleanText(name)) {
      path.push(name);
      collectBadTexts(field, path, faults);
      path.pop();
    } else {
      pushFault(faults, () => ({ pointer: pointerOf(path), detail: `${CLEAN_TEXT_DETAIL} in names of fields` }));
    }
  }
}

function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${pointerPart(cutText(name))}`).join("");
}

/** Returns one part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
