import { decodeCursor, encodeCursor } from "../../http/paging.ts";

/** The last row of a page: the next one begins behind it. */
export interface Position {
  readonly at: Temporal.Instant;
  readonly uid: string;
}

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function positionText({ at, uid }: Position): string {
  return encodeCursor([at.toString(), uid]);
}

/** The position of a text that `positionText` made; null for any other. */
export function parsePosition(text: string): Position | null {
  const [time = "", uid = ""] = decodeCursor(text) ?? [];
  try {
    return UID.test(uid) ? { at: Temporal.Instant.from(time), uid } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
