import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { CsvImport, Reading, StaffPerson } from "../csv-import.ts";
import { optionsCodec } from "../import-codecs.ts";
import { lockImportIn } from "../lock-import-in.ts";
import { partOfMove } from "../part-of-move.ts";
import { refuseColumns } from "../read/columns.ts";
import type { ImportOptions } from "../read/row-values.ts";
import { LOCK_CHECKED } from "../step-queries.ts";

/** How a file is to be read, and the defaults for rows without their own values. */
export interface CheckSettings extends Reading {
  readonly options: ImportOptions;
}

const START = `update import
set state = 'checking',
  encoding = $2,
  separator = $3,
  has_header = $4,
  columns = $5::text::jsonb,
  options = $6::text::jsonb,
  checked_by_uid = $7,
  error = null,
  unreadable_line = null,
  customer_count = null,
  warning_count = null,
  largest_points = null,
  survey = null,
  waits_until = null,
  attempts = 0,
  lease_uid = null,
  lease_until = null
where uid = $1`;

const FORGET = [
  "delete from import_row where import_uid = $1",
  "delete from import_profile where import_uid = $1",
  "delete from import_fault where import_uid = $1",
  "delete from import_step where import_uid = $1",
];

/**
 * Starts the dry run of an import with these settings, or restarts it with others; a worker does it. Throws `invalid` (422) naming each field,
 * `import_not_found`, `import_state` (409) if it is neither uploaded nor checked, or is a part of another app's file and the settings are not of that
 * file: its worker starts a part without another look at anybody's allowance. Throws `import_waits` (409) if a second person has to decide it.
 */
export async function startCheck(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  uid: string,
  { settings, by }: { readonly settings: CheckSettings; readonly by: StaffPerson },
): Promise<CsvImport> {
  const found = await lockImportIn(tx, uid, { states: ["uploaded", "checked"], now: deps.clock.now() });
  if (found.options.move !== null && settings.options.move?.uid !== found.options.move.uid)
    throw partOfMove(found, "checked");
  const faults = refuseColumns(found.kind, settings.columns, settings.options.matchByEmail).map(
    ({ field, detail }) => ({
      pointer: `/columns/${field}`,
      detail,
    }),
  );
  if (faults.length > 0) throw new Problem("invalid", { faults });
  if (found.kind === "move" && settings.options.vendor === null)
    throw new Problem("invalid", {
      faults: [{ pointer: "/options/vendor", detail: "expected the app that wrote the file" }],
    });
  const { encoding, separator, hasHeader, columns } = settings;
  const exactIds = found.options.exactIds || settings.options.exactIds; // of the file, not of a person's settings
  const options = { ...settings.options, exactIds };
  await tx.execute(LOCK_CHECKED, [uid]);
  for (const text of FORGET) await tx.execute(text, [uid]);
  const read = [encoding, separator, hasHeader, JSON.stringify(columns)];
  await tx.execute(START, [uid, ...read, JSON.stringify(optionsCodec.encode(options)), by.uid]);
  const { note: _, ...recorded } = options; // a note may name a person
  const after = { encoding, separator, has_header: hasHeader, columns, options: recorded };
  await recordAction(tx, deps, { action: "import.check_started", subject: { kind: "import", id: uid }, after });
  return { ...found, ...settings, options, state: "checking" };
}
