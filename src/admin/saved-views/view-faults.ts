import { VIEW_FILTERS, type ViewList } from "../../wire/saved-views.ts";

interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

export const NAME_TAKEN: Fault = { pointer: "/name", detail: "expected a name that no other view of the list has" };

/** Returns a fault for each filter that a view of the list does not store. */
export function unknownFilters(list: ViewList, filters: Readonly<Record<string, string>>): Fault[] {
  const known: readonly string[] = VIEW_FILTERS[list];
  return Object.keys(filters)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: `/filters/${name}`, detail: `expected one of ${known.join(", ")}` }));
}
