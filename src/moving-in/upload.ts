import { type CsvImport, DEFAULT_OPTIONS, type Reading } from "../imports/csv-import.ts";
import type { ImportOptions } from "../imports/read/row-values.ts";
import { addMonths } from "../time/store-time.ts";
import { columnsOf, vendorOf } from "./member.ts";
import { FileGoneError } from "./member-file.ts";
import { moveUidOf } from "./move.ts";

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
