import { lineAt, type Source } from "./source.ts";

/** A function with a body in braces: its lines, and the text of its own line and parameters. */
export interface Body {
  readonly line: number;
  readonly lines: number;
  readonly head: string;
}

const NOT_FUNCTIONS = /\b(?:if|for|while|switch|catch|with|await)\s*$/;

/** Finds functions, methods and arrow functions by their braces; an arrow function without braces is not one. */
export function functionsOf(source: Source): Body[] {
  const pairs = pairsOf(source.code);
  const found: Body[] = [];
  for (const [open, close] of pairs) {
    if (source.code[open] !== "(" || NOT_FUNCTIONS.test(source.code.slice(Math.max(0, open - 12), open))) continue;
    const body = bodyAfter(source.code, close + 1, pairs);
    if (body === undefined) continue;
    const line = lineAt(source.code, open);
    const start = source.code.lastIndexOf("\n", open) + 1;
    const lines = lineAt(source.code, pairs.get(body) ?? body) - line + 1;
    found.push({ line, lines, head: source.text.slice(start, body) });
  }
  return found;
}

function pairsOf(code: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if ("([{".includes(char)) open.push(at);
    else if (")]}".includes(char)) pairs.set(open.pop() ?? -1, at);
  }
  return pairs;
}

/** The brace that opens the body after a parameter list, past a return type and an arrow; undefined when there is none. */
function bodyAfter(code: string, from: number, pairs: ReadonlyMap<number, number>): number | undefined {
  let at = from;
  let wantsType = false;
  let hasType = false;
  while (at < code.length) {
    const char = code.charAt(at);
    if (char === "{" && !wantsType) return at;
    if (code.startsWith("=>", at)) {
      wantsType = hasType && /^=>\s*[^\s{]/.test(code.slice(at, at + 200));
      if (!hasType && /^=>\s*[^\s{]/.test(code.slice(at, at + 200))) return undefined;
      at += 2;
    } else if ("([{".includes(char)) {
      if (!hasType) return undefined;
      at = (pairs.get(at) ?? code.length) + 1;
      wantsType = false;
    } else if (char === ":" && !hasType) {
      hasType = true;
      wantsType = true;
      at++;
    } else if (hasType && /[\w|&<>,.?\s]/.test(char)) {
      if (/[|&<,?]/.test(char)) wantsType = true;
      else if (/[\w>]/.test(char))
        wantsType = /\b(?:keyof|readonly|is|asserts|extends)$/.test(code.slice(Math.max(0, at - 8), at + 1));
      at++;
    } else if (/\s/.test(char)) at++;
    else return undefined;
  }
  return undefined;
}
