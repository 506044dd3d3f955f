import type { ApiError } from "../../api/api-error.ts";
import type { words } from "../words.ts";

export type ForeignWords = Pick<(typeof words)["en"], "foreign" | "tooLargeForProxy">;

/** Statuses that mean the same from the service and from a proxy. */
const SAME_OF_ANYBODY = [401, 404, 429];

/** Returns the message of an answer that something between the page and the service gave, such as a firewall; null: it is another failure. */
export function foreignAnswer(error: ApiError, t: ForeignWords): string | null {
  if (error.isOfService || error.status >= 500 || SAME_OF_ANYBODY.includes(error.status)) return null;
  return error.status === 413 ? t.tooLargeForProxy : t.foreign(String(error.status));
}
