import { VIEW_LISTS, type ViewList } from "../../../src/wire/saved-views.ts";
import { writeSearch } from "../urls/address.ts";
import { hasSameFilters } from "./view-filters.ts";

/** A view with which the navigation opens a list: its filters as they were last read. */
export interface DefaultView {
  readonly uid: string;
  readonly filters: Readonly<Record<string, string>>;
}

export type DefaultViews = Readonly<Partial<Record<ViewList, DefaultView>>>;

/** The paths of the lists in the navigation. */
const LISTS: Readonly<Record<string, ViewList>> = {
  "/customers": "customers",
  "/orders": "orders",
  "/ledger": "ledger",
  "/webhooks": "deliveries",
  "/audit": "audit",
  "/intake": "receipts",
};

/** Returns the path of a page in the navigation, with the filters of the person's default view if it is a list that has one. */
export function pathWithDefaultView(path: string, views: DefaultViews): string {
  const list = LISTS[path];
  const view = list === undefined ? undefined : views[list];
  return view === undefined ? path : `${path}${writeSearch(view.filters)}`;
}

/** Returns a default view with its filters as they are among the views that were read: the same one if they are, undefined if it was removed. */
export function currentDefaultOf(
  known: DefaultView | undefined,
  views: readonly DefaultView[],
): DefaultView | undefined {
  const view = views.find(({ uid }) => uid === known?.uid);
  if (known === undefined || view === undefined) return undefined;
  return hasSameFilters(view.filters, known.filters) ? known : { uid: view.uid, filters: view.filters };
}

/** Parses what a browser has stored; what is not a view is left out. */
export function parseDefaultViews(text: string | null): DefaultViews {
  try {
    const found: unknown = JSON.parse(text ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const entries = Object.entries(found).filter(
      ([list, view]) => VIEW_LISTS.some((one) => one === list) && isView(view),
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isView(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("uid" in value) || !("filters" in value)) return false;
  const { uid, filters } = value;
  return (
    typeof uid === "string" &&
    typeof filters === "object" &&
    filters !== null &&
    Object.values(filters).every((one) => typeof one === "string")
  );
}
