import type { ServerResponse } from "node:http";

/** A client that reads nothing for this time counts as gone. */
const UNREAD_MS = 60_000;

/** Ends a streamed answer that its client has stopped reading: what the stream holds, such as a connection of the database, is free again. */
export function endUnread(response: ServerResponse): void {
  response.setTimeout(UNREAD_MS, () => {
    if (response.writableLength > 0) response.destroy(); // otherwise the database is slow, not the client
  });
}
