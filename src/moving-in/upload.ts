import { type CsvImport, DEFAULT_OPTIONS, type Reading } from "../imports/csv-import.ts";
import type { ImportOptions } from "../imports/read/row-values.ts";
import { addMonths } from "../time/store-time.ts";
import { columnsOf, vendorOf } from "./member.ts";
import { FileGoneError } from "./member-file.ts";
import { moveUidOf } from "./move.ts";

/** How long no check lowers a member's tier, by default. */
const TIERS_KEPT_MONTHS = 12;

/** Returns until when imported tiers are kept by default. */
export function tiersKeptUntil(now: Temporal.Instant): Temporal.Instant {
  return addMonths(now, TIERS_KEPT_MONTHS, "UTC");
}

/** Returns how an uploaded file is probably to be read: the app, from its first row and name, and the columns. */
export function recogniseUpload(
  firstRow: readonly string[],
  fileName: string,
  now: Temporal.Instant,
): Pick<Reading, "columns"> & { readonly options: ImportOptions } {
  const vendor = vendorOf(firstRow, fileName);
  const options = { ...DEFAULT_OPTIONS, vendor: vendor?.name ?? null, keepTiersUntil: tiersKeptUntil(now) };
  return { columns: vendor === undefined ? {} : columnsOf(vendor, firstRow), options };
}

/** Returns the uid of the move of an uploaded file. */
export function moveUidOfUpload({ contentSha256, options, uid }: CsvImport): string {
  if (contentSha256 === null || options.vendor === null) throw new FileGoneError(uid);
  return moveUidOf({ head: { sha256: contentSha256 }, vendor: { name: options.vendor } });
}
