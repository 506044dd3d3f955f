import type { ListCountAnswer } from "../../../src/admin/list-count-schema.ts";
import { dataQuery } from "../../api/client.ts";

type ListCount = ListCountAnswer["data"];

/**
 * The query for the number of all rows that a list's filters show, apart from the list: it may fail, and the list is shown without it. `everyMs`: how
 * often it is read again, as its list is; one that was not counted in time is not.
 */
export function countQuery(
  key: string,
  path: string,
  { filter: { after: _, ...filters }, everyMs }: { filter: Readonly<Record<string, string>>; everyMs?: number },
) {
  return {
    queryKey: [key, "count", filters],
    queryFn: dataQuery<ListCount>(path, filters),
    retry: false,
    refetchInterval: ({ state: { data } }: { readonly state: { readonly data: ListCount | undefined } }) =>
      everyMs === undefined || data == null || data.count === null ? false : everyMs,
  } as const;
}

export type CountQuery = ReturnType<typeof countQuery>;
