import type { Position } from "../allotments/queries.ts";

/** Returns whether a place of the feed is after another: by time, then by uid. */
export function isAfter(place: Position, other: Position): boolean {
  const order = Temporal.Instant.compare(place.allottedAt, other.allottedAt);
  return order > 0 || (order === 0 && place.uid > other.uid);
}
