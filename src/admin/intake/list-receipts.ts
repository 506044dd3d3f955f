import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { readBounded } from "../read-bounded.ts";
import { selectReceipts } from "./queries.ts";
import type { ReceiptPage, ReceiptQuery } from "./schema.ts";
import { subjectsOf, viewReceipt } from "./view.ts";

const PAGE_ROWS = 50;
const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A page of what the platform told, the last first. Throws `invalid` on `after`. */
export async function listReceipts(deps: Pick<Deps, "db">, query: ReceiptQuery): Promise<ReceiptPage> {
  if (query.after !== undefined && !UID.test(query.after)) {
    throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected a `next` of this list" }] });
  }
  const wish = {
    state: query.state ?? null,
    isWarned: query.warned === "yes",
    topic: query.topic ?? null,
    subjects: query.subject === undefined ? null : subjectsOf(query.subject),
    after: query.after ?? null,
    rows: PAGE_ROWS + 1,
  };
  const found = await readBounded(deps, (tx) => selectReceipts(tx, wish));
  const page = found.slice(0, PAGE_ROWS);
  return { data: page.map(viewReceipt), next: found.length > PAGE_ROWS ? (page.at(-1)?.uid ?? null) : null };
}
