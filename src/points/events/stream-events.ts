import { isDatabaseAway } from "../../db/database-away.ts";
import type { Deps } from "../../deps.ts";
import { type ChangeEventPage, streamText } from "./change-event.ts";
import type { Following } from "./create-feed-waiters.ts";
import { listEvents } from "./list-events.ts";

const HEARTBEAT_MS = 15_000;
/** A stream ends after this time, and its client continues with a new one. So a revoked credential reads no longer than that. */
const STREAM_MS = 300_000;
const RETRY_MS = 1_000;
const PIECE_EVENTS = 100;

/**
 * Yields the text of a stream of server-sent events (HTML, 9.2) from a first page on: each event with its cursor as its id, and a comment
 * after every 15 seconds without one. Ends after five minutes, at the signal, and if the database is unavailable: clients resume with
 * `Last-Event-ID`.
 */
export async function* streamEvents(
  deps: Deps,
  first: ChangeEventPage,
  { waiters, signal, hasTiers }: Following & { readonly hasTiers: boolean },
): AsyncGenerator<string> {
  const until = performance.now() + STREAM_MS;
  // without an event the client has no id yet: connected again, one that began at `now` would skip what came in between
  const place = first.events.length === 0 ? `id: ${first.nextCursor}\n` : "";
  yield `retry: ${RETRY_MS}\n${place}\n`;
  const order = (leftMs: number) => ({ ms: Math.min(HEARTBEAT_MS, leftMs), hasTiers, signal });
  let page = first;
  try {
    for (;;) {
      if (page.events.length > 0) yield page.events.map(streamText).join("");
      const leftMs = until - performance.now();
      if (leftMs <= 0) return;
      const end = page.hasMore ? "news" : await waiters.wait(page.nextCursor, order(leftMs));
      if (end === "ended") return;
      if (end === "over") yield ":\n\n";
      page = await listEvents(deps, { cursor: page.nextCursor, limit: PIECE_EVENTS, hasTiers });
    }
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
  }
}
