import type { Queryable } from "../db/pool.ts";
import type { CsvImport } from "../imports/csv-import.ts";
import { selectLastUndone } from "../imports/queries.ts";

/** Returns the imports of a move that were begun after one of them that is imported still, and undone: the last kind first. */
export async function readUndoneAfter(
  queryable: Queryable,
  moveUid: string,
  last: Pick<CsvImport, "createdAt">,
): Promise<readonly CsvImport[]> {
  const undone = await selectLastUndone(queryable, moveUid);
  return undone.filter(({ createdAt }) => Temporal.Instant.compare(createdAt, last.createdAt) >= 0).toReversed();
}
