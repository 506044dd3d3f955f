import type { Deps } from "../deps.ts";
import type { CsvImport, Reading } from "../imports/csv-import.ts";
import { DEFAULT_OPTIONS } from "../imports/csv-import.ts";
import { selectImportPiece } from "../imports/queries.ts";
import { readSample } from "../imports/read/read-sample.ts";
import type { ImportOptions } from "../imports/read/row-values.ts";
import { addMonths } from "../time/store-time.ts";
import { columnsOf, vendorOf } from "./member.ts";
import { FileGoneError } from "./member-file.ts";
import { type MemberMove, moveUidOf } from "./move.ts";
import { VENDORS } from "./vendors/index.ts";

/** So long no check drops a member below the app's tier, unless somebody says something else. */
const TIERS_KEPT_MONTHS = 12;

/** Until when tiers that come now are kept. */
export function tiersKeptUntil(now: Temporal.Instant): Temporal.Instant {
  return addMonths(now, TIERS_KEPT_MONTHS, "UTC");
}

/** How an uploaded file is probably to be read: whose it is by its first row and its name, and what its columns are. */
export function recogniseUpload(
  firstRow: readonly string[],
  fileName: string,
  now: Temporal.Instant,
): Pick<Reading, "columns"> & { readonly options: ImportOptions } {
  const vendor = vendorOf(firstRow, fileName);
  const options = { ...DEFAULT_OPTIONS, vendor: vendor?.name ?? null, keepTiersUntil: tiersKeptUntil(now) };
  return { columns: vendor === undefined ? {} : columnsOf(vendor, firstRow), options };
}

/** The uid of the move that an uploaded file is. */
export function moveUidOfUpload({ contentSha256, options, uid }: CsvImport): string {
  if (contentSha256 === null || options.vendor === null) throw new FileGoneError(uid);
  return moveUidOf({ head: { sha256: contentSha256 }, vendor: { name: options.vendor } });
}

/** An uploaded file of another app as it is to be read. Throws FileGoneError where its pieces were removed meanwhile. */
export async function moveOfUpload(deps: Pick<Deps, "db">, file: CsvImport): Promise<MemberMove> {
  const vendor = VENDORS.find(({ name }) => name === file.options.vendor);
  const [header = []] = await readSample(deps.db, file, 1);
  if (vendor === undefined || file.contentSha256 === null) throw new FileGoneError(file.uid);
  const { encoding, separator, columns, options, contentSha256: sha256 } = file;
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
    ...{ vendor, columns, setsBalance: options.setsBalance, keepTiersUntil: options.keepTiersUntil },
  };
}
