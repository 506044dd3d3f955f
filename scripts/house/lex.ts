/** A string, template text or comment: where it begins (index and 1-based line) and its text without quotes. */
export interface Piece {
  readonly start: number;
  readonly line: number;
  readonly text: string;
}

export interface Lexed {
  /** The text with the inside of strings, regular expressions and comments blanked, of the same length and lines. */
  readonly code: string;
  /** A template is one piece; what stands in `${...}` is left as `${}` in it and lexed as code. */
  readonly strings: readonly Piece[];
  readonly comments: readonly Piece[];
}

const BEFORE_REGEXP =
  /(?:^|[=([{,;:!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield|delete|new))\s*$/;

interface Cursor {
  readonly text: string;
  readonly hasTags: boolean;
  at: number;
  line: number;
  code: string;
  readonly strings: Piece[];
  readonly comments: Piece[];
}

/**
 * Splits TypeScript into code, strings and comments, so that a rule about one never trips over another. With JSX (`hasTags`) the
 * text between tags counts as code: the dashboard's texts stand in its word lists, not there.
 */
export function lex(text: string, hasTags = false): Lexed {
  const cursor: Cursor = { text, hasTags, at: 0, line: 1, code: "", strings: [], comments: [] };
  lexCode(cursor, false);
  return { code: cursor.code, strings: cursor.strings, comments: cursor.comments };
}

/** Lexes code up to the end, or up to the brace that closes a template's `${`. */
function lexCode(cursor: Cursor, inTemplate: boolean): void {
  let depth = 0;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    const two = cursor.text.slice(cursor.at, cursor.at + 2);
    if (two === "//") lexUntil(cursor, cursor.comments, "\n", 2, 0);
    else if (two === "/*") lexUntil(cursor, cursor.comments, "*/", 2, 2);
    else if (char === '"' || char === "'") lexQuoted(cursor, char);
    else if (char === "`") lexTemplate(cursor);
    else if (char === "/" && !closesTag(cursor) && BEFORE_REGEXP.test(cursor.code.slice(-40))) lexRegExp(cursor);
    else {
      if (char === "{") depth++;
      if (char === "}" && depth-- === 0 && inTemplate) return;
      keep(cursor);
    }
  }
}

/** `</p>` and `<br />` begin no regular expression. */
function closesTag({ hasTags, text, at }: Cursor): boolean {
  return hasTags && (text.charAt(at - 1) === "<" || text.charAt(at + 1) === ">");
}

function keep(cursor: Cursor): void {
  const char = cursor.text.charAt(cursor.at++);
  if (char === "\n") cursor.line++;
  cursor.code += char;
}

function blank(cursor: Cursor, length: number): void {
  for (const char of cursor.text.slice(cursor.at, cursor.at + length).split("")) {
    if (char === "\n") cursor.line++;
    cursor.code += char === "\n" ? "\n" : " ";
  }
  cursor.at += length;
}

function lexUntil(cursor: Cursor, pieces: Piece[], end: string, openLength: number, closeLength: number): void {
  const found = cursor.text.indexOf(end, cursor.at + openLength);
  const stop = found === -1 ? cursor.text.length : found;
  const text = cursor.text.slice(cursor.at + openLength, stop);
  pieces.push({ start: cursor.at, line: cursor.line, text });
  blank(cursor, Math.min(stop + closeLength, cursor.text.length) - cursor.at);
}

function lexQuoted(cursor: Cursor, quote: string): void {
  const piece = { start: cursor.at, line: cursor.line };
  keep(cursor);
  const from = cursor.at;
  while (cursor.at < cursor.text.length && cursor.text.charAt(cursor.at) !== quote) {
    blank(cursor, cursor.text.charAt(cursor.at) === "\\" ? 2 : 1);
  }
  cursor.strings.push({ ...piece, text: cursor.text.slice(from, cursor.at) });
  keep(cursor);
}

function lexTemplate(cursor: Cursor): void {
  const piece = { start: cursor.at, line: cursor.line };
  let text = "";
  keep(cursor);
  while (cursor.at < cursor.text.length && cursor.text.charAt(cursor.at) !== "`") {
    if (cursor.text.startsWith("${", cursor.at)) {
      blank(cursor, 2);
      const from = cursor.line;
      lexCode(cursor, true);
      text += `\${${"\n".repeat(cursor.line - from)}}`;
      blank(cursor, 1);
    } else {
      const length = cursor.text.charAt(cursor.at) === "\\" ? 2 : 1;
      text += cursor.text.slice(cursor.at, cursor.at + length);
      blank(cursor, length);
    }
  }
  cursor.strings.push({ ...piece, text });
  keep(cursor);
}

function lexRegExp(cursor: Cursor): void {
  keep(cursor);
  let inClass = false;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    if (char === "\n" || (char === "/" && !inClass)) break;
    if (char === "[") inClass = true;
    if (char === "]") inClass = false;
    blank(cursor, char === "\\" ? 2 : 1);
  }
  keep(cursor);
}
