/** A path of the API that is a file. It names nothing outside the API. */
const FILE = /^\/([\w-]+)(?:\/[\w-]+)*(?:\.csv|\/file)(?:\?|$)/;

/** Files that another page lists than that of their name. */
const PAGES: Readonly<Record<string, string>> = { exports: "/csv/exports", imports: "/csv" };

/** Returns the path of the page that has the link of a file of the API; null: the path is none of a file. */
export function filePageOf(file: string): string | null {
  const name = FILE.exec(file)?.[1];
  return name === undefined ? null : (PAGES[name] ?? `/${name}`);
}
