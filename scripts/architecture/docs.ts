import { dirname, join } from "node:path/posix";
import { lineAt, type Source, type Violation } from "./source.ts";
import type { Migration } from "./tables.ts";

/** A Markdown file. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

const LINK = /\]\(([^)\s]+)\)/g;
const MENTION = /`((?:src|test|docs|migrations|scripts|bench|demo|bin|dashboard|\.ci)\/[\w./-]*[\w/])`/g;

const HEADING = /^#+ +(.*?) *$/gm;
/** A document that a comment names, and its first clause if there is one: `program.md 4`, `docs/operations.md`. */
const NAMED = /(?<![\w/.])((?:[\w-]+\/)*[\w-]+\.md)(?: (\d+(?:\.\d+)*))?/g;

/** Every link to a file of the project, and every path in backquotes, refers to something that exists. */
export function documentPaths(documents: readonly Document[], exists: (path: string) => boolean): Violation[] {
  return documents.flatMap(({ path, text }) =>
    text.split("\n").flatMap((content, index) => {
      const links = [...content.matchAll(LINK)]
        .map((m) => m[1] ?? "")
        .filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target));
      const mentions = [...content.matchAll(MENTION)].map((m) => m[1] ?? "");
      const targets = [...links.map((target) => join(dirname(path), target.replace(/#.*$/, ""))), ...mentions];
      return targets
        .filter((target) => !exists(target))
        .map((target) => ({ path, line: index + 1, rule: "document-path", message: `${target} does not exist` }));
    }),
  );
}

/** A module in backquotes, by its file's name or path: `lots.ts`, `read/columns.ts`, `ledger/lots`. A path without an ending begins with a folder of src. */
const MODULE = /`([a-z][\w./-]*)`/g;
/** In a diagram only paths are recognised, and no URL. */
const DIAGRAM = /^```[\s\S]*?^```/gm;
const PATH_IN_DIAGRAM = /(?<![\w/.<-])([a-z][\w-]*(?:\/[\w-]+)+)(?![\w/*<])/g;

/** The README of a folder, ARCHITECTURE.md and CONTRIBUTING.md name only modules that exist, wherever they are. */
export function documentModules(documents: readonly Document[], sources: readonly Source[]): Violation[] {
  const ends = new Set(sources.flatMap(({ path }) => endsOf(path)));
  const features = new Set(sources.map(({ path }) => /^src\/([\w-]+)\//.exec(path)?.[1]));
  const isModule = (name: string) =>
    (/\.tsx?$/.test(name) && !name.startsWith("docs/")) ||
    (/^[a-z][\w-]*(?:\/[\w-]+)+$/.test(name) && features.has(name.split("/")[0]));
  return documents
    .filter(({ path }) => !path.startsWith("docs/") && /(?:^|\/)(?:README|ARCHITECTURE|CONTRIBUTING)\.md$/.test(path))
    .flatMap(({ path, text }) =>
      modulesIn(text)
        .filter(({ name }) => isModule(name) && !ends.has(name))
        .map(({ name, index }) => ({
          path,
          line: lineAt(text, index),
          rule: "document-module",
          message: `no module of the project is ${name}`,
        })),
    );
}

/** Returns what may be a module's name in a document. */
function modulesIn(text: string): { readonly name: string; readonly index: number }[] {
  const found = (part: string, pattern: RegExp, from: number) =>
    [...part.matchAll(pattern)].map((match) => ({ name: match[1] ?? "", index: from + match.index }));
  const diagrams = [...text.matchAll(DIAGRAM)];
  return [...found(text, MODULE, 0), ...diagrams.flatMap((match) => found(match[0], PATH_IN_DIAGRAM, match.index))];
}

/** Returns what may name a file: the ends of its path, with and without the file's ending, and those of the folders above it. */
function endsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.flatMap((_, from) => {
    const above = parts.slice(from, -1).map((_part, i) => parts.slice(from, from + i + 1).join("/"));
    const end = parts.slice(from).join("/");
    return [end, end.replace(/\.tsx?$/, ""), ...above];
  });
}

/** A folder's README names each table that the folder owns; `staff_*` stands for several. */
export function ownedTables(documents: readonly Document[], owners: Readonly<Record<string, string>>): Violation[] {
  return documents.flatMap(({ path, text }) => {
    const folder = /^src\/([\w-]+)\/README\.md$/.exec(path)?.[1];
    const named = [...text.matchAll(/`([a-z]\w*\*?)`/g)].map((match) => match[1] ?? "");
    const isNamed = (table: string) =>
      named.some((name) => (name.endsWith("_*") ? table.startsWith(name.slice(0, -1)) : table === name));
    const tables = Object.keys(owners).filter((table) => owners[table] === folder);
    return tables
      .filter((table) => !isNamed(table))
      .map((table) => ({ path, line: 1, rule: "owned-table", message: `${table} is not named` }));
  });
}

/** A folder of src with this many modules needs a README: terms, what is always true, what it owns, and where to begin to read. */
const MODULES_WITHOUT_README = 7;

/** Every larger folder of src explains itself. */
export function roomReadmes(sources: readonly Source[], exists: (path: string) => boolean): Violation[] {
  const modules = new Map<string, number>();
  for (const { path } of sources) {
    const folder = /^src\/([\w-]+)\//.exec(path)?.[1];
    if (folder !== undefined && !path.endsWith(".test.ts")) modules.set(folder, (modules.get(folder) ?? 0) + 1);
  }
  return [...modules].flatMap(([folder, count]) => {
    const path = `src/${folder}/README.md`;
    if (count <= MODULES_WITHOUT_README || exists(path)) return [];
    return [{ path, line: 1, rule: "room-readme", message: `src/${folder} has ${count} modules and no README.md` }];
  });
}

/** Every `#anchor` of a link refers to a heading of its page. */
export function documentAnchors(documents: readonly Document[]): Violation[] {
  const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(LINK)].flatMap((match) => {
      const [file = "", anchor] = (match[1] ?? "").split("#");
      const target = file === "" ? path : join(dirname(path), file);
      const known = anchors.get(target);
      if (anchor === undefined || known === undefined || known.has(anchor)) return [];
      const message = `${target} has no heading #${anchor}`;
      return [{ path, line: lineAt(text, match.index), rule: "document-anchor", message }];
    }),
  );
}

/** Returns the anchor of a heading as usual Markdown viewers make it: lower case, no punctuation, hyphens for spaces. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(HEADING)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * Every document that a comment in code or SQL names exists, in the root, in `docs/` or in the same folder, and has the clause that is named with it.
 */
export function namedDocuments(
  sources: readonly Source[],
  migrations: readonly Migration[],
  documents: readonly Document[],
): Violation[] {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const commented = [
    ...sources.flatMap(({ path, comments }) => comments.map(({ text, line }) => ({ path, text, line }))),
    ...migrations.flatMap(({ path, text }) =>
      [...text.matchAll(/--.*/g)].map((match) => ({ path, text: match[0], line: lineAt(text, match.index) })),
    ),
  ];
  return commented.flatMap(({ path, text, line }) =>
    [...text.matchAll(NAMED)].flatMap((match) => {
      const [, name = "", clause] = match;
      const at = { path, line: line + lineAt(text, match.index) - 1, rule: "named-document" };
      const places = [name, `docs/${name}`, join(dirname(path), name)];
      const document = places.map((place) => byPath.get(place)).find((found) => found !== undefined);
      if (document === undefined) return [{ ...at, message: `${name} does not exist` }];
      if (clause === undefined || clausesOf(document).has(clause)) return [];
      return [{ ...at, message: `${document.path} has no clause ${clause}` }];
    }),
  );
}

/** Returns the numbers with which the headings of a document begin. */
function clausesOf({ text }: Document): Set<string> {
  const headings = [...text.matchAll(HEADING)].map((match) => match[1] ?? "");
  return new Set(headings.flatMap((heading) => /^(\d+(?:\.\d+)*)\.?(?= |$)/.exec(heading)?.[1] ?? []));
}
