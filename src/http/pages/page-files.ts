/** The files of a page of the dashboard beyond those of every page, as its build lists them in pages.json. */
export interface PageFiles {
  /** A path of the router: `/customers/$id/{-$tab}`, whose last part may be absent. */
  readonly path: string;
  readonly files: readonly string[];
}

/** The files of the page at a path below `/admin`; none where no page is there. A literal part takes precedence over a parameter. */
export function filesOfPage(pages: readonly PageFiles[], path: string): readonly string[] {
  const parts = partsOf(path);
  const fitting = pages.filter((page) => fits(partsOf(page.path), parts));
  const [best] = fitting.toSorted((a, b) => literals(b.path) - literals(a.path));
  return best?.files ?? [];
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function fits(expected: readonly string[], parts: readonly string[]): boolean {
  const needed = expected.filter((part) => !part.startsWith("{-")).length;
  if (parts.length < needed || parts.length > expected.length) return false;
  return parts.every((part, index) => expected[index] === part || /^[${]/.test(expected[index] ?? ""));
}

function literals(path: string): number {
  return partsOf(path).filter((part) => !/^[${]/.test(part)).length;
}

/**
 * The links in the head of a page that make a browser request the session and the page's own files together with the first files, not only after
 * those have run. `base` is the path of the dashboard.
 */
export function preloadLinks(files: readonly string[], base: string): string {
  if (files.length === 0) return "";
  const links = files
    .map((file) => `${base}/${file}`)
    .map((url) =>
      url.endsWith(".css")
        ? `<link rel="preload" as="style" crossorigin href="${url}">`
        : `<link rel="modulepreload" crossorigin href="${url}">`,
    );
  return [`<link rel="preload" as="fetch" crossorigin href="${base}/api/session">`, ...links].join("");
}
