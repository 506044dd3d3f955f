import { dirname, join } from "node:path/posix";
import { type EcmaScriptModule, parseSync, Visitor, type VisitorObject } from "oxc-parser";
import type { Import, Piece, Source } from "./source.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Parses TypeScript, so that rules about code do not match strings or comments. */
export function parseSource(path: string, text: string): Source {
  const { program, comments, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineOf = linesOf(text);
  const piece = (start: number, content: string): Piece => ({ start, line: lineOf(start), text: content });
  const blanks: Span[] = [...comments];
  const strings: Piece[] = [];
  const unchecked: { kind: "any" | "cast" | "non-null"; line: number }[] = [];
  const functions: { line: number; lines: number; head: string }[] = [];

  const template = (node: Span, parts: readonly Span[]) => {
    let [from, content] = [node.start + 1, ""];
    for (const part of parts) {
      blanks.push({ start: from, end: part.start });
      content += text.slice(from, text.lastIndexOf("${", part.start) + 2);
      from = text.indexOf("}", part.end);
      content += "\n".repeat(lineOf(from) - lineOf(part.start));
    }
    blanks.push({ start: from, end: node.end - 1 });
    strings.push(piece(node.start, content + text.slice(from, node.end - 1)));
  };
  const braced = (node: Span, body: (Span & { type: string }) | null) => {
    if (body?.type !== "BlockStatement") return;
    const line = lineOf(node.start);
    const head = text.slice(text.lastIndexOf("\n", node.start) + 1, body.start);
    functions.push({ line, lines: lineOf(body.end) - line + 1, head });
  };
  const visitor: VisitorObject = {
    Literal(node) {
      if (typeof node.value !== "string" && !("regex" in node)) return;
      const inside = { start: node.start + 1, end: node.end - 1 };
      blanks.push(inside);
      if (!("regex" in node)) strings.push(piece(node.start, text.slice(inside.start, inside.end)));
    },
    "TemplateLiteral:exit": (node) => template(node, node.expressions),
    "TSTemplateLiteralType:exit": (node) => template(node, node.types),
    TSAnyKeyword: (node) => void unchecked.push({ kind: "any", line: lineOf(node.start) }),
    TSNonNullExpression: (node) => void unchecked.push({ kind: "non-null", line: lineOf(node.end - 1) }),
    TSTypeAssertion: (node) => void unchecked.push({ kind: "cast", line: lineOf(node.start) }),
    TSAsExpression({ typeAnnotation: { start, end } }) {
      if (text.slice(start, end) !== "const") unchecked.push({ kind: "cast", line: lineOf(start) });
    },
    FunctionDeclaration: (node) => braced(node, node.body),
    FunctionExpression: (node) => braced(node, node.body),
    ArrowFunctionExpression: (node) => braced(node, node.body),
  };
  new Visitor(visitor).visit(program);

  return {
    path,
    text,
    code: blank(text, blanks),
    strings,
    comments: comments.map((c) => piece(c.start, c.value)),
    imports: importsOf(path, text, module, lineOf),
    exports: module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ start, exportName: { name } }) => (name === null ? [] : [piece(start, name)])),
    ),
    unchecked,
    functions,
  };
}

/** Returns a function from an index to its 1-based line, for many indexes of one text. */
function linesOf(text: string): (index: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (index) => starts.findLastIndex((start) => start <= index) + 1;
}

function blank(text: string, spans: readonly Span[]): string {
  let [code, at] = ["", 0];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    code += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    at = end;
  }
  return code + text.slice(at);
}

function importsOf(path: string, text: string, module: EcmaScriptModule, lineOf: (index: number) => number): Import[] {
  const fixed = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({ moduleRequest, entries })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.slice(0, 1).flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [{ moduleRequest, entries }])),
    ),
  ].map(({ moduleRequest: { value, start }, entries }) => ({
    start,
    name: value,
    isType: entries.length > 0 && entries.every((entry) => entry.isType),
  }));
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const name = /^["'`](.*)["'`]$/.exec(text.slice(start, end))?.[1];
    return name === undefined ? [] : [{ start, name, isType: false }];
  });
  return [...fixed, ...dynamic].map(({ start, name, isType }) => {
    const isRelative = name.startsWith(".");
    const target = isRelative ? join(dirname(path), name) : name;
    return { from: path, line: lineOf(start), target, isRelative, isType };
  });
}
