import type { ListCountAnswer } from "../../../src/admin/list-count-schema.ts";
import { dataQuery } from "../../api/client.ts";

type ListCount = ListCountAnswer["data"];

/** Less often than a list is: a count of many rows takes up to a second of the database. */
const REFRESH_MS = 60_000;

/**
 * The query for the number of all rows that a list's filters show, apart from the list: it may fail, and the list is shown without it. `isMoving`: the
 * list is read again while it is open, and so is the number, unless it was not counted in time.
 */
export function countQuery(
  key: string,
  path: string,
  {
    filter: { after: _, ...filters },
    isMoving = false,
  }: { filter: Readonly<Record<string, string>>; isMoving?: boolean },
) {
  return {
    queryKey: [key, "count", filters],
    queryFn: dataQuery<ListCount>(path, filters),
    retry: false,
    refetchInterval: ({ state: { data } }: { readonly state: { readonly data: ListCount | undefined } }) =>
      !isMoving || data == null || data.count === null ? false : REFRESH_MS,
  } as const;
}

export type CountQuery = ReturnType<typeof countQuery>;
