import type { Deps } from "../../deps.ts";
import type { ChangeEventPage } from "./change-event.ts";
import type { Following } from "./create-feed-waiters.ts";
import { type FeedQuery, listEvents } from "./list-events.ts";

/** Returns `listEvents` as soon as it has an event, or its result when the time is over. */
export async function pollEvents(
  deps: Deps,
  query: FeedQuery & { readonly waitMs: number },
  { waiters, signal }: Following,
): Promise<ChangeEventPage> {
  const until = performance.now() + query.waitMs;
  const { limit, hasTiers = false } = query;
  let page = await listEvents(deps, query);
  while (page.events.length === 0) {
    const leftMs = until - performance.now();
    const order = { ms: leftMs, hasTiers, signal };
    if (!page.hasMore && (leftMs <= 0 || (await waiters.wait(page.nextCursor, order)) !== "news")) break;
    page = await listEvents(deps, { cursor: page.nextCursor, limit, hasTiers });
  }
  return page;
}
