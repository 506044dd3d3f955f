import { decodeCursor, encodeCursor } from "../../http/paging.ts";

/** A page of rows that were read with one more than it shows. */
export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null: there is none. */
  readonly next: string | null;
}

/** Cuts the row too many off and says where the next page begins. */
export function pageOf<Row>(
  found: readonly Row[],
  size: number,
  placeOfRow: (row: Row) => readonly [string, string],
): RowsPage<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: found.length > size && last !== undefined ? encodeCursor(placeOfRow(last)) : null };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The time and id that a `next` names; null: it is none of such a list. `isUuid`: ids of the list are uuids. */
export function timePlaceOf(after: string, { isUuid }: { readonly isUuid: boolean }) {
  const [time = "", id = ""] = decodeCursor(after) ?? [];
  const at = instantOf(time);
  return at === null || id === "" || (isUuid && !UUID.test(id)) ? null : { at, id };
}

/** The points and uid that a `next` names; null: it is none of such a list. */
export function pointsPlaceOf(after: string) {
  const [points = "", uid = ""] = decodeCursor(after) ?? [];
  return /^\d{1,16}$/.test(points) && UUID.test(uid) ? { points: BigInt(points), uid } : null;
}

function instantOf(text: string): Temporal.Instant | null {
  try {
    return Temporal.Instant.from(text);
  } catch {
    return null;
  }
}
