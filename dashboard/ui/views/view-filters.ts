type Filters = Readonly<Record<string, string>>;

/** Whether two views have the same filters, in any order. */
export function hasSameFilters(one: Filters, other: Filters): boolean {
  return sorted(one) === sorted(other);
}

function sorted(filters: Filters): string {
  return JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
