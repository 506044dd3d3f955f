import { type ListedRequest, selectRequests } from "../../adjustments/request-queries.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { NEWEST, pageOf, READ_ROWS, type RowsPage, readAfter, timeUuidCursor } from "../list.ts";

/** A page of requests that wait, or of decided ones, newest first. Throws `invalid` for an `after` of another list. */
export async function listRequests(
  deps: Pick<Deps, "db" | "clock">,
  list: "waiting" | "decided",
  after: string | undefined,
): Promise<RowsPage<ListedRequest>> {
  const { position, faults } = readAfter(after, timeUuidCursor, "expected the `next` of this list");
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const { at, id: uid } = position ?? NEWEST;
  const found = await selectRequests(deps.db, list, deps.clock.now(), { before: { at, uid }, limit: READ_ROWS });
  return pageOf(found, ({ requestedAt, decidedAt, uid: id }) =>
    timeUuidCursor.format({ at: (list === "decided" ? decidedAt : null) ?? requestedAt, id }),
  );
}
