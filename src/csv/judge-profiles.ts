import { selectByStorefrontIds } from "../customers/customer-queries.ts";
import type { Tx } from "../db/pool.ts";
import { extraCells, type Read } from "./cells.ts";
import type { CheckBatch, CheckedRows } from "./checked-rows.ts";
import type { CsvImport } from "./csv-import.ts";
import { faultOf, type StoredFault, storedFault } from "./fault.ts";
import type { GoodProfile } from "./profile-queries.ts";
import { type ProfileValues, profileValues } from "./profile-values.ts";
import type { FileRow } from "./read-rows.ts";

/** Tells the good rows of a file of customers, those that nobody knows yet among them, from those with faults. */
export async function judgeProfiles(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<CheckedRows<GoodProfile>> {
  const read = batch.rows.map((row) => ({ row, values: valuesOf(file, batch, row) }));
  const ids = read.flatMap(({ values }) => ("faults" in values ? [] : [values.storefrontId]));
  const known = await selectByStorefrontIds(tx, [...new Set(ids)]);
  const good: GoodProfile[] = [];
  const faults: StoredFault[] = [];
  for (const { row, values } of read) {
    if ("faults" in values) {
      faults.push(...values.faults.map((fault) => storedFault(row, fault)));
      continue;
    }
    const { storefrontId } = values;
    const customer = known.get(storefrontId);
    const isDeleted = customer !== undefined && customer.deletedAt !== null;
    if (isDeleted) faults.push(storedFault(row, faultOf("customer_deleted", "id", storefrontId)));
    else good.push({ ...values, n: row.n, line: row.line, shownId: customer?.storefrontId ?? storefrontId });
  }
  return { good, faults };
}

function valuesOf({ columns }: CsvImport, { headerCount }: CheckBatch, { cells }: FileRow): Read<ProfileValues> {
  const extra = extraCells(cells, headerCount);
  return extra.length > 0 ? { faults: extra } : profileValues(cells, columns);
}
