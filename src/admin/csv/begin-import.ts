import { type ImportRequest, newRequest, REQUEST_DAYS } from "../../adjustments/adjustment-request.ts";
import { insertImportRequest } from "../../adjustments/change-queries.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { startImport } from "../../imports/apply/start-import.ts";
import type { StaffPerson } from "../../imports/csv-import.ts";
import type { Started } from "../../imports/lock-to-start.ts";
import { holdImport } from "../../imports/queries.ts";
import { startUndo } from "../../imports/undo/start-undo.ts";
import { readProgram } from "../../program/read-program.ts";
import { addDays } from "../../time/store-time.ts";

/** What a person requests for an import, named by the kind of the request. */
export type ImportStep = ImportRequest["kind"];

/**
 * Starts an import or its undoing in a person's name. Above the person's allowance it stays unchanged and becomes a request, which a second person
 * decides. Recorded in the audit log. Throws like `startImport` and `startUndo`.
 */
export async function beginImport(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  uid: string,
  { step, by }: { readonly step: ImportStep; readonly by: StaffPerson },
): Promise<void> {
  const start = step === "import" ? startImport : startUndo;
  const started = await start(tx, deps, uid, { by, isApproved: false });
  if (started.kind === "started") return;
  const now = deps.clock.now();
  const expiresAt = addDays(now, REQUEST_DAYS, (await readProgram(tx)).store.timeZone);
  const base = newRequest({ uid: deps.random.uid(), by, at: now, expiresAt });
  const request = { ...base, kind: step, importUid: uid, ...requestedOf(started) };
  await holdImport(tx, uid, expiresAt);
  await insertImportRequest(tx, request);
  const { rows, given, taken, largest } = request.file;
  const after = { request: request.uid, rows, points_added: given, points_taken: taken, largest_points: largest };
  const action = step === "import" ? "import.start_requested" : "import.undo_requested";
  await recordAction(tx, deps, { action, subject: { kind: "import", id: uid }, after });
}

function requestedOf({ file, rows, excess, total, largest, day }: Exclude<Started, { kind: "started" }>) {
  const isGiving = total.given + day.given >= total.taken + day.taken;
  return {
    excess,
    earlierOfDay: isGiving ? day.given : day.taken,
    file: {
      fileName: file.fileName,
      rows: Number(rows),
      customers: Number(file.customerCount ?? 0n),
      given: String(total.given),
      taken: String(total.taken),
      largest: String(largest),
    },
  };
}
