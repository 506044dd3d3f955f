import { type ListedRequest, selectRequests } from "../../adjustments/request-queries.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { pageOf, type RowsPage, timePlaceOf } from "../customers/page-after.ts";

const PAGE_ROWS = 50;
const FIRST = { at: Temporal.Instant.from("9999-12-31T00:00:00Z"), id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

/** A page of requests that wait, or of decided ones, newest first. Throws `invalid` for an `after` that is none of the list's. */
export async function listRequests(
  deps: Pick<Deps, "db" | "clock">,
  list: "waiting" | "decided",
  after: string | undefined,
): Promise<RowsPage<ListedRequest>> {
  const place = after === undefined ? FIRST : timePlaceOf(after, { isUuid: true });
  if (place === null) {
    throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected the `next` of this list" }] });
  }
  const before = { at: place.at, uid: place.id };
  const found = await selectRequests(deps.db, list, deps.clock.now(), { before, limit: PAGE_ROWS + 1 });
  return pageOf(found, PAGE_ROWS, ({ requestedAt, decidedAt, uid }) => [
    String((list === "decided" ? decidedAt : null) ?? requestedAt),
    uid,
  ]);
}
