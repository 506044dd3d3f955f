import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { fileName } from "./export-row.ts";
import { refuseSignature, type SignedQuery } from "./export-signature.ts";
import { selectExport, selectExportPiece } from "./queries.ts";

const NEW_ADDRESS =
  "the address was good for one hour: read the export (GET /api/storefront/point_balances/export/<uid>), or have its delivery sent again, for a new one";

export interface ExportFile {
  readonly name: string;
  readonly byteCount: bigint;
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * Opens the file of a signed URL (interface.md 6.4): its pieces are read one by one as they are sent. Throws `forbidden` (403) for a URL
 * that this service did not sign, `gone` (410) an hour after it was signed, `export_not_found` (404) once it was pruned.
 */
export async function openExportFile(
  deps: Pick<Deps, "db" | "clock" | "secretBox">,
  address: SignedQuery & { readonly uid: string },
): Promise<ExportFile> {
  const refusal = refuseSignature(deps.secretBox, address, deps.clock.now());
  if (refusal === "gone") throw new Problem(refusal, { faults: [{ detail: NEW_ADDRESS }] });
  if (refusal !== null) throw new Problem(refusal);
  const row = await selectExport(deps.db, address.uid);
  if (row?.state !== "ready" || row.pieceCount === null || row.byteCount === null)
    throw new Problem("export_not_found");
  const { timeZone } = (await readProgram(deps.db)).store;
  return { name: fileName(row, timeZone), byteCount: row.byteCount, pieces: readPieces(deps, row.uid, row.pieceCount) };
}

async function* readPieces(deps: Pick<Deps, "db">, uid: string, count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n++) {
    const bytes = await selectExportPiece(deps.db, uid, n);
    if (bytes === undefined) throw new Error(`piece ${n} of export ${uid} is gone`);
    yield bytes;
  }
}
