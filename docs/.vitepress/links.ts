import { basename, dirname, join } from "node:path/posix";
import type { MarkdownRenderer } from "vitepress";
import { pageOf, sourceOf, titleOf } from "./pages.ts";

type Core = MarkdownRenderer["core"]["ruler"];
type State = Parameters<Parameters<Core["push"]>[1]>[0];
type Token = State["tokens"][number];

/** Where the project's source can be browsed, without a slash at the end; without it the files of the source are named, not linked. */
const SOURCE_URL = process.env["DOCS_SOURCE_URL"];

/**
 * The documents link each other, and files of the source, by relative paths that also work where the repository is browsed. Here a
 * path to a document becomes the path of its page.
 */
export function siteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("site-links", (state) => {
    for (const { children } of state.tokens) if (children !== null) rewriteLinks(children, state.env.relativePath);
  });
}

function rewriteLinks(tokens: Token[], page: string): void {
  let dropped = 0; // links without a page, whose end has not come yet
  for (const [index, token] of tokens.entries()) {
    if (token.type === "link_close" && dropped > 0) {
      dropped -= 1;
      blank(token);
    }
    if (token.type !== "link_open") continue;
    const href = token.attrGet("href") ?? "";
    if (/^(?:[a-z]+:|#|\/)/.test(href)) continue;
    const [path = "", hash] = href.split("#");
    const file = join(dirname(sourceOf(page)), path);
    const target = targetOf(file, hash);
    if (target === undefined) {
      dropped += 1;
      blank(token);
    } else token.attrSet("href", target);
    const text = tokens[index + 1];
    // the name of a file says something in the repository only
    if (text?.type === "text" && text.content === basename(path) && pageOf(file) !== undefined)
      text.content = titleOf(file);
  }
}

function targetOf(file: string, hash: string | undefined): string | undefined {
  const page = pageOf(file);
  if (page === undefined) return SOURCE_URL === undefined ? undefined : `${SOURCE_URL}/${file}`;
  return hash === undefined ? `/${page}` : `/${page}#${hash}`;
}

function blank(token: Token): void {
  token.type = "text";
  token.tag = "";
  token.nesting = 0;
  token.content = "";
}
