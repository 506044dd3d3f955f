import { dirname, join } from "node:path/posix";

/** A built page: its path below the site's folder, and its HTML. */
export interface Page {
  readonly path: string;
  readonly html: string;
}

const HREF = /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]+)"/g;

/** Returns every link of the pages to a file that the site does not have, or to an anchor that its page does not have. */
export function deadLinks(pages: readonly Page[], base: string, exists: (path: string) => boolean): string[] {
  const anchors = new Map(
    pages.map(({ path, html }) => [path, new Set([...html.matchAll(ID)].map((m) => m[1] ?? ""))]),
  );
  return pages.flatMap(({ path, html }) => {
    const links = new Set([...html.matchAll(HREF)].map((match) => match[1] ?? ""));
    return [...links].flatMap((link) => {
      if (/^(?:[a-z]+:|\/\/)/.test(link)) return [];
      const [file = "", hash = ""] = link.replaceAll("&amp;", "&").split("#");
      const target = fileOf(file, path, base);
      if (target === undefined || !exists(target)) return [`${path}: ${link} leads to no page`];
      const known = anchors.get(target);
      if (hash === "" || known === undefined || known.has(decodeURIComponent(hash))) return [];
      return [`${path}: ${link} leads to no heading`];
    });
  });
}

/** Returns the file of the site to which a link refers; undefined for a link out of the site. */
function fileOf(link: string, page: string, base: string): string | undefined {
  if (link === "") return page;
  if (link.startsWith("/") && !link.startsWith(base)) return undefined;
  const path = decodeURIComponent(link.startsWith("/") ? link.slice(base.length) : join(dirname(page), link));
  if (path.startsWith("..")) return undefined;
  return path === "" || path.endsWith("/") ? `${path}index.html` : path;
}
