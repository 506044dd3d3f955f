import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { PAGE_ROWS, pageOf, readAfter, uuidCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import { selectListedReceipts } from "./queries.ts";
import type { ReceiptPage, ReceiptQuery } from "./schema.ts";
import { receiptFiltersOf, viewReceipt } from "./view.ts";

/** Returns a page of receipts, newest first. Throws `invalid` for `after`. */
export async function listReceipts(
  deps: Pick<ReadDeps, "db">,
  query: ReceiptQuery,
  pageRows: number = PAGE_ROWS,
): Promise<ReceiptPage> {
  const { position } = withoutFaults(readAfter(query.after, uuidCursor));
  const page = { after: position, rows: pageRows + 1 };
  const found = await readBounded(deps, (tx) => selectListedReceipts(tx, receiptFiltersOf(query), page));
  const { rows, next } = pageOf(found, ({ uid }) => uid, pageRows);
  return { data: rows.map(viewReceipt), next };
}
