import type { Deps } from "../../deps.ts";
import type { ChangeEventPage } from "./change-event.ts";
import type { Following } from "./create-feed-waiters.ts";
import { listEvents } from "./list-events.ts";

/** Returns `listEvents` as soon as it has an event, or its result when the time is over. */
export async function pollEvents(
  deps: Deps,
  query: { cursor?: string | undefined; limit?: number | undefined; waitMs: number },
  { waiters, signal }: Following,
): Promise<ChangeEventPage> {
  const until = performance.now() + query.waitMs;
  let page = await listEvents(deps, query);
  while (page.events.length === 0) {
    const leftMs = until - performance.now();
    if (!page.hasMore && (leftMs <= 0 || (await waiters.wait(page.nextCursor, leftMs, signal)) !== "news")) break;
    page = await listEvents(deps, { cursor: page.nextCursor, limit: query.limit });
  }
  return page;
}
