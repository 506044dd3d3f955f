import type { ReadDeps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { pageOf, READ_ROWS, readAfter, uuidCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import { selectListedReceipts } from "./queries.ts";
import type { ReceiptPage, ReceiptQuery } from "./schema.ts";
import { subjectsOf, viewReceipt } from "./view.ts";

/** A page of receipts, the newest first. Throws `invalid` on `after`. */
export async function listReceipts(deps: Pick<ReadDeps, "db">, query: ReceiptQuery): Promise<ReceiptPage> {
  const { position, faults } = readAfter(query.after, uuidCursor);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const filters = {
    state: query.state ?? null,
    isWarned: query.warned === "yes",
    topic: query.topic ?? null,
    subjects: query.subject === undefined ? null : subjectsOf(query.subject),
    after: position,
    rows: READ_ROWS,
  };
  const { rows, next } = pageOf(await readBounded(deps, (tx) => selectListedReceipts(tx, filters)), ({ uid }) => uid);
  return { data: rows.map(viewReceipt), next };
}
