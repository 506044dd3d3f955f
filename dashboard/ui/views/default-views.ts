import type { ShownDefaultView } from "../../../src/admin/saved-views/schema.ts";
import { VIEW_LISTS, type ViewList } from "../../../src/wire/saved-views.ts";
import { writeSearch } from "../urls/address.ts";

/** The views with which a person's navigation opens lists, at most one for each list. */
export type DefaultViews = readonly ShownDefaultView[];

/** The paths of the lists in the navigation. */
const LISTS: Readonly<Record<string, ViewList>> = {
  "/customers": "customers",
  "/orders": "orders",
  "/ledger": "ledger",
  "/webhooks": "deliveries",
  "/audit": "audit",
  "/intake": "receipts",
  "/approvals": "approvals",
  "/results": "results",
  "/mails": "mails",
};

/** Returns the path of a page in the navigation, with the filters of the person's default view if it is a list that has one. */
export function pathWithDefaultView(path: string, views: DefaultViews): string {
  const wanted = LISTS[path];
  const view = views.find(({ list }) => list === wanted);
  return view === undefined ? path : `${path}${writeSearch(view.filters)}`;
}

/** Returns the ids of the default views that an earlier version stored in the browser, by list; what is none is left out. */
export function parseStoredDefaults(text: string | null): readonly Pick<ShownDefaultView, "list" | "uid">[] {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    if (typeof found !== "object" || found === null) return [];
    const stored = new Map<string, unknown>(Object.entries(found));
    return VIEW_LISTS.flatMap((list) => {
      const uid = uidOf(stored.get(list));
      return uid === null ? [] : [{ list, uid }];
    });
  } catch {
    return [];
  }
}

function uidOf(view: unknown): string | null {
  if (typeof view !== "object" || view === null || !("uid" in view)) return null;
  return typeof view.uid === "string" ? view.uid : null;
}
