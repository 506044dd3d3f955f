import type { Deps } from "../deps.ts";
import type { CsvImport } from "../imports/csv-import.ts";
import { selectImportPiece } from "../imports/queries.ts";
import { readSample } from "../imports/read/read-sample.ts";
import { FileGoneError } from "./member-file.ts";
import type { MemberMove } from "./move.ts";
import { VENDORS } from "./vendors/index.ts";

/** Returns an uploaded file of another app with its settings. Throws FileGoneError if its pieces have been removed. */
export async function moveOfUpload(deps: Pick<Deps, "db">, file: CsvImport): Promise<MemberMove> {
  const known = VENDORS.find(({ name }) => name === file.options.vendor);
  const [header = []] = await readSample(deps.db, file, 1);
  if (known === undefined || file.contentSha256 === null) throw new FileGoneError(file.uid);
  const { encoding, separator, columns, options, contentSha256: sha256 } = file;
  const vendor = { ...known, days: options.moveDays ?? known.days };
  const pieces = file.pieceCount ?? 0;
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < pieces; at++) {
      const piece = await selectImportPiece(deps.db, file.uid, at);
      if (piece === undefined) throw new FileGoneError(file.uid);
      yield piece;
    }
  }
  return {
    file: { name: file.fileName, open },
    head: { encoding, separator, header, sha256, lineCount: file.lineCount ?? 0 },
    ...{ vendor, columns, setsBalance: options.setsBalance, again: options.again, asOf: options.asOf },
    uploadedAt: file.createdAt,
    keepTiersUntil: options.keepTiersUntil,
  };
}
