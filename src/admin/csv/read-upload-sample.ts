import type { Deps } from "../../deps.ts";
import { selectImport } from "../../imports/queries.ts";
import { recogniseColumns } from "../../imports/read/columns.ts";
import { readSample } from "../../imports/read/read-sample.ts";
import type { Encoding, Separator } from "../../wire/import-fields.ts";
import type { SampleAnswer } from "./schema.ts";

const SAMPLE_ROWS = 6;

/** The first rows of an upload, read as it is set or as is asked, and the columns that the first one names. Throws `import_not_found`. */
export async function readUploadSample(
  deps: Pick<Deps, "db">,
  uid: string,
  asked: { readonly encoding?: Encoding; readonly separator?: Separator },
): Promise<SampleAnswer> {
  const file = await selectImport(deps.db, uid);
  const rows = await readSample(deps.db, { ...file, ...asked }, SAMPLE_ROWS);
  const columns = recogniseColumns(file.kind, rows[0] ?? []);
  return { data: { rows: rows.map((cells) => [...cells]), columns } };
}
