import { decodeCursor, encodeCursor, instantOfCursor } from "../../http/paging.ts";
import type { Position } from "./queries.ts";

/** Returns the cursor of a position in the store's list. */
export function cursorOf({ allottedAt, uid }: Position): string {
  return encodeCursor([allottedAt.toString(), uid]);
}

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The fault of a cursor that names no position. */
export const CURSOR_FAULT = { parameter: "cursor", detail: "expected a next_cursor of this list" } as const;

/** Returns the position of a cursor made by `cursorOf`; undefined for any other text. */
export function positionOf(cursor: string): Position | undefined {
  const [time = "", uid = ""] = decodeCursor(cursor) ?? [];
  const allottedAt = instantOfCursor(time);
  return allottedAt === null || !UID.test(uid) ? undefined : { allottedAt, uid };
}
