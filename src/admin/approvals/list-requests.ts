import { type ListedRequest, selectRequests } from "../../adjustments/request-queries.ts";
import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { NEWEST, PAGE_ROWS, pageOf, type RowsPage, readAfter, timeUuidCursor } from "../list.ts";
import type { RequestsQuery } from "./schema.ts";

/** Returns a page of waiting requests, or of decided ones, newest first. Throws `invalid` for an `after` of another list. */
export async function listRequests(
  deps: Pick<ReadDeps, "db" | "clock">,
  { list = "waiting", after }: RequestsQuery,
  pageRows: number = PAGE_ROWS,
): Promise<RowsPage<ListedRequest>> {
  const { position } = withoutFaults(readAfter(after, timeUuidCursor, "expected the `next` of this list"));
  const { at, id: uid } = position ?? NEWEST;
  const found = await selectRequests(deps.db, list, deps.clock.now(), { before: { at, uid }, limit: pageRows + 1 });
  return pageOf(
    found,
    ({ requestedAt, decidedAt, uid: id }) =>
      timeUuidCursor.format({ at: (list === "decided" ? decidedAt : null) ?? requestedAt, id }),
    pageRows,
  );
}
