import { urlState, useUrlState } from "../../ui/urls/use-url-state.ts";

const DEFAULTS = {
  type: "",
  direction: "",
  from: "",
  to: "",
  customer: "",
  order: "",
  source: "",
  at_least: "",
  at_most: "",
  after: "",
};

export type Filters = typeof DEFAULTS;

/** The filters of the ledger in the address. */
export function useFilters(): readonly [Filters, (change: Partial<Filters>) => void] {
  return useUrlState(DEFAULTS);
}

/** Returns the filters from the parameters of an address. */
export function filtersOf(search: Readonly<Record<string, unknown>>): Filters {
  return urlState(DEFAULTS, search);
}

/** Returns the filters without the position in the list. */
export function filtersOnly({ after: _, ...filters }: Filters): Omit<Filters, "after"> {
  return filters;
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filtersOnly(filters)).some((value) => value !== "");
}

export const NO_FILTERS: Omit<Filters, "after"> = filtersOnly(DEFAULTS);
