/** The limits of a JSON text: levels of nesting, and the total number of list elements and object fields. */
export interface JsonLimits {
  readonly depth: number;
  readonly elements: number;
}

/** The position of a number in a text: from `start` to `end`, exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export interface JsonScan {
  readonly elements: number;
  /** The limit that is exceeded, so that the text must not be parsed; null: none. */
  readonly excess: keyof JsonLimits | null;
  /** The numbers that a double would change: integers beyond 2^53 or beyond every double, and fractions that it rounds to an integer. */
  readonly lost: readonly TextSpan[];
}

/** The maximum nesting of a request's body. */
export const JSON_DEPTH_MAX = 64;

const DOUBLE_KEEPS = 15; // digits that every double keeps
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans a JSON text once, without recursion and in constant memory, and stops if a limit is exceeded. Call it before anything that recurses
 * or creates a value for each element. It does not check that the text is valid JSON.
 */
export function scanJson(text: string, limits: JsonLimits): JsonScan {
  const lost: TextSpan[] = [];
  let depth = 0;
  let elements = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
    } else if (code === COMMA) {
      if (++elements > limits.elements) return { elements, excess: "elements", lost };
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > limits.depth) return { elements, excess: "depth", lost };
      if (++elements > limits.elements) return { elements, excess: "elements", lost };
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, i);
      if (isLost(text, i, end)) lost.push({ start: i, end });
      i = end - 1;
    }
  }
  return { elements, excess: null, lost };
}

/**
 * Returns the limit that JSON in UTF-8 exceeds, or null. Like `scanJson`, but over bytes, so that a large body that is refused is never
 * decoded. Every byte of a character beyond ASCII is above the bytes that are searched.
 */
export function excessOfBytes(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  let depth = 0;
  let elements = 0;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i];
    if (code === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (code === COMMA) {
      if (++elements > limits.elements) return "elements";
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > limits.depth) return "depth";
      if (++elements > limits.elements) return "elements";
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
    }
  }
  return null;
}

/** Returns the position of the closing quote of the string that begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return i;
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && isOfNumber(text.charCodeAt(i))) i++;
  return i;
}

/** Digits, `+ - .` and `e E`. */
function isOfNumber(code: number): boolean {
  if (code >= ZERO && code <= NINE) return true;
  return code === 0x2b || code === MINUS || code === 0x2e || code === 0x45 || code === 0x65;
}

/**
 * Whether a double would change the number. A fraction that stays one never counts; an invalid number or a field's name is left for the
 * parser to refuse.
 */
function isLost(text: string, start: number, end: number): boolean {
  if (end - start <= DOUBLE_KEEPS && !hasExponent(text, start, end)) return false;
  const token = text.slice(start, end);
  const value = Number(token);
  const isFraction = Number.isFinite(value) && !Number.isInteger(value);
  if (isFraction || !NUMBER.test(token) || (Number.isSafeInteger(value) && isIntegerText(token))) return false;
  let next = end;
  while (next < text.length && text.charCodeAt(next) <= 0x20) next++;
  return text.charCodeAt(next) !== COLON;
}

/** Whether a valid number is an integer as written, such as 1.50e1: 0.99999999999999999999 is not, although its double is 1. */
function isIntegerText(token: string): boolean {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end--;
  const isZero = end === 0 || (end === 1 && digits.startsWith("-"));
  return isZero || fraction.length - (digits.length - end) <= Number(exponent);
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((text.charCodeAt(i) | 0x20) === 0x65) return true;
  return false;
}
