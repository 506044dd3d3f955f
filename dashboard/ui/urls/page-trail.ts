const KEY = "pointkeeper-pages";
/** The maximum for all lists of this tab; the oldest are removed. */
const KEPT_MAX = 200;

type Search = Readonly<Record<string, unknown>>;

/** Stores for this tab, over reloads, from which page of a list the page `to` was reached, because a cursor only leads forward. */
export function rememberPage(search: Search, to: string, from: string): void {
  const name = nameOf(search, to);
  const kept = read().filter(([known]) => known !== name);
  const trail = [...kept, [name, from]].slice(-KEPT_MAX);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(trail));
  } catch {
    // without storage, only the first page can be returned to
  }
}

/** Returns the cursor of the page before the one at `after`, with the same filters; null: this tab did not come from it. */
export function pageBefore(search: Search, after: string): string | null {
  const name = nameOf(search, after);
  return read().find(([known]) => known === name)?.[1] ?? null;
}

/** With other filters the same cursor is another page. */
function nameOf({ after: _, ...filters }: Search, cursor: string): string {
  return JSON.stringify([Object.entries(filters).toSorted(), cursor]);
}

function read(): [name: string, from: string][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}
