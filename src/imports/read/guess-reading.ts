import type { Queryable } from "../../db/pool.ts";
import type { ImportKind } from "../../wire/import-fields.ts";
import { type Encoding, SEPARATORS } from "../../wire/import-fields.ts";
import type { Reading } from "../csv-import.ts";
import { columnsByPosition, recogniseColumns } from "./columns.ts";
import { readSample } from "./read-sample.ts";

/** How a file that has just come is probably to be read: the separator that makes most columns, and what its first row names. */
export async function guessReading(
  queryable: Queryable,
  file: { readonly uid: string; readonly kind: ImportKind; readonly encoding: Encoding },
): Promise<Reading> {
  const candidates = await Promise.all(
    SEPARATORS.map(async (separator) => {
      const [firstRow = []] = await readSample(queryable, { ...file, separator }, 1);
      return { separator, firstRow };
    }),
  );
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error("there is no separator");
  const { separator, firstRow } = others.reduce((a, b) => (b.firstRow.length > a.firstRow.length ? b : a), first);
  const named = recogniseColumns(file.kind, firstRow);
  const columns = named ?? columnsByPosition(file.kind, firstRow.length);
  return { encoding: file.encoding, separator, hasHeader: named !== null, columns };
}
