import { selectImportApprovals, selectWaitingImport } from "../../adjustments/change-queries.ts";
import type { Deps } from "../../deps.ts";
import { countTierMoves } from "../../imports/check/count-tier-moves.ts";
import type { CsvImport, PhaseTotals, StaffPerson } from "../../imports/csv-import.ts";
import { selectImport, selectTotals } from "../../imports/queries.ts";
import { readFileExcess } from "../../imports/read-file-excess.ts";
import { readProgram } from "../../program/read-program.ts";
import { readMoveParts } from "./read-move-parts.ts";
import type { ImportDetail } from "./schema.ts";
import { type ImportParts, viewImportDetail } from "./view.ts";

/** The excess of a larger file is computed only when its import starts, not at each read. */
const EXCESS_ROWS_MAX = 20_000n;
/** The moves of a larger file of tiers are not counted at each read. */
const MOVES_ROWS_MAX = 200_000n;

/** Returns an import with its counts, as a person sees it. Throws `import_not_found` (404). */
export async function readImport(
  deps: Pick<Deps, "db" | "clock">,
  uid: string,
  person: StaffPerson,
): Promise<{ data: ImportDetail }> {
  const row: CsvImport = await selectImport(deps.db, uid);
  const now = deps.clock.now();
  const [all, program, waiting, approvals] = await Promise.all([
    selectTotals(deps.db, [row.uid]),
    readProgram(deps.db),
    selectWaitingImport(deps.db, row.uid, now),
    selectImportApprovals(deps.db, row.uid),
  ]);
  const totals = all.get(row.uid) ?? [];
  const isChecked = row.state === "checked" || row.state === "imported";
  const isLarge = totals.some(({ rowCount }) => rowCount > EXCESS_ROWS_MAX);
  const asked = { file: row, totals, staffUid: person.uid, now };
  const over = isChecked && !isLarge ? await readFileExcess(deps.db, asked) : null;
  const { approvalLimit } = program.staff;
  const mayExceed = approvalLimit !== null && (row.options.setsBalance || (row.largestPoints ?? 0n) > approvalLimit);
  const isAlone = isLarge && isChecked && mayExceed;
  const hasMoves = row.kind === "tiers" && row.state === "checked";
  const isCountable = totals.every(({ rowCount }) => rowCount <= MOVES_ROWS_MAX);
  const tierMoves = hasMoves && isCountable ? await countTierMoves(deps, row.uid, program.tiers.rules) : null;
  const parts = row.kind === "move" ? await readParts(deps, row) : [];
  const allowed = { limits: program.staff, excess: over?.excess ?? (isAlone ? "customer" : null), waiting, approvals };
  return {
    data: viewImportDetail(row, totals satisfies readonly PhaseTotals[], {
      ...allowed,
      person,
      parts,
      tierMoves,
      timeZone: program.store.timeZone,
    }),
  };
}

/** Returns the imports that another app's file is split into, with their numbers of rows. */
async function readParts(deps: Pick<Deps, "db" | "clock">, row: CsvImport): Promise<ImportParts["parts"]> {
  const files = await readMoveParts(deps, row);
  const totals = await selectTotals(
    deps.db,
    files.map(({ uid }) => uid),
  );
  return files.map((file) => {
    const check = totals.get(file.uid)?.find(({ phase }) => phase === "check");
    return { file, rows: check?.validCount ?? 0n };
  });
}
