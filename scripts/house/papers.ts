import { dirname, join } from "node:path/posix";
import type { Violation } from "./source.ts";

/** A Markdown file. */
export interface Paper {
  readonly path: string;
  readonly text: string;
}

const LINK = /\]\(([^)\s]+)\)/g;
const MENTION = /`((?:src|test|docs|migrations|scripts|bench|demo|bin|dashboard|\.ci)\/[\w./-]*[\w/])`/g;

/** Every link to a file of the project, and every path named in backquotes, leads to something that exists. */
export function paperPaths(papers: readonly Paper[], exists: (path: string) => boolean): Violation[] {
  return papers.flatMap(({ path, text }) =>
    text.split("\n").flatMap((content, index) => {
      const links = [...content.matchAll(LINK)]
        .map((m) => m[1] ?? "")
        .filter((target) => !/^(?:[a-z]+:|#|\/)/.test(target));
      const mentions = [...content.matchAll(MENTION)].map((m) => m[1] ?? "");
      const targets = [...links.map((target) => join(dirname(path), target.replace(/#.*$/, ""))), ...mentions];
      return targets
        .filter((target) => !exists(target))
        .map((target) => ({ path, line: index + 1, rule: "paper-path", message: `${target} does not exist` }));
    }),
  );
}
