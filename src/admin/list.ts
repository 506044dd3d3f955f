import type { Param } from "../db/encode-param.ts";
import { decodeCursor, encodeCursor, instantOfCursor } from "../http/paging.ts";
import type { Fault } from "../problems.ts";
import { formatInstant, parseInstant } from "../time/store-time.ts";

/** Rows per page of every list. */
export const PAGE_ROWS = 50;
/** The number of rows that a list reads for a page: the additional row shows whether another page follows. */
export const READ_ROWS = PAGE_ROWS + 1;

/** A page of rows, and where the next page begins. */
export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  /** The `after` of the next page; null: this is the last one. */
  readonly next: string | null;
}

/** Returns the page of the given rows, of which there may be one too many. `nextOf` formats the position of the page's last row. */
export function pageOf<Row>(
  found: readonly Row[],
  nextOf: (last: Row) => string,
  pageRows: number = PAGE_ROWS,
): RowsPage<Row> {
  const rows = found.slice(0, pageRows);
  const last = rows.at(-1);
  return { rows, next: found.length > pageRows && last !== undefined ? nextOf(last) : null };
}

/** How the position of a row in a list is written as a `next` and read from an `after`. */
export interface Cursor<Position> {
  readonly format: (position: Position) => string;
  /** Returns null for a text that `format` does not write. */
  readonly parse: (text: string) => Position | null;
}

/** The position of a row in a list by time: its time, and its id among rows of the same time. */
export interface TimePosition {
  readonly at: Temporal.Instant;
  readonly id: string;
}

/** Sorts before every row of a list that goes from the newest to the oldest. */
export const NEWEST_UID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
export const NEWEST: TimePosition = { at: Temporal.Instant.from("9999-12-31T00:00:00Z"), id: NEWEST_UID };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The cursor of a list by time whose ids are arbitrary texts. */
export const timeCursor: Cursor<TimePosition> = {
  format: ({ at, id }) => encodeCursor([at.toString(), id]),
  parse: (text) => {
    const [time = "", id = ""] = decodeCursor(text) ?? [];
    const at = instantOfCursor(time);
    return at === null || id === "" ? null : { at, id };
  },
};

/** The cursor of a list by time whose ids are UUIDs. */
export const timeUuidCursor: Cursor<TimePosition> = {
  format: timeCursor.format,
  parse: (text) => {
    const position = timeCursor.parse(text);
    return position !== null && UUID.test(position.id) ? position : null;
  },
};

/** The cursor of a list by id only: UUIDs that rise with time. */
export const uuidCursor: Cursor<string> = {
  format: (uid) => uid,
  parse: (text) => (UUID.test(text) ? text : null),
};

/** The cursor of a list by time whose ids are numbers. */
export const timeNumberCursor: Cursor<{ readonly at: Temporal.Instant; readonly id: bigint }> = {
  format: ({ at, id }) => `${formatInstant(at)}_${id}`,
  parse: (text) => {
    const [, time, id] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\d{1,18})$/.exec(text) ?? [];
    const at = instantOfCursor(time ?? "");
    return at === null || id === undefined ? null : { at, id: BigInt(id) };
  },
};

/** The position of a customer in the list by points. */
export interface PointsPosition {
  /** The points by which the customer is listed. */
  readonly points: bigint;
  readonly uid: string;
  /** The class of points in which the customer is listed; absent: that of the points. */
  readonly inClass?: number;
}

/** The cursor of a list by points, most first. */
export const pointsCursor: Cursor<PointsPosition> = {
  format: ({ points, uid, inClass }) =>
    encodeCursor([String(points), uid, ...(inClass === undefined ? [] : [String(inClass)])]),
  parse: (text) => {
    const [points = "", uid = "", inClass] = decodeCursor(text) ?? [];
    if (!(/^\d{1,16}$/.test(points) && UUID.test(uid))) return null;
    if (inClass === undefined) return { points: BigInt(points), uid };
    return /^\d{1,3}$/.test(inClass) ? { points: BigInt(points), uid, inClass: Number(inClass) } : null;
  },
};

/** Reads the `after` of a list. The position is null for the first page, and if there is a fault. */
export function readAfter<Position>(
  after: string | undefined,
  cursor: Cursor<Position>,
  detail = "expected a `next` of this list",
): { readonly position: Position | null; readonly faults: readonly Fault[] } {
  const position = after === undefined ? null : cursor.parse(after);
  return { position, faults: after !== undefined && position === null ? [{ parameter: "after", detail }] : [] };
}

export interface TimeRange {
  /** Included; null: no beginning. */
  readonly from: Temporal.Instant | null;
  /** Not included; null: no end. */
  readonly to: Temporal.Instant | null;
}

/** The names of the two ends of a range in a query, how they are parsed, and the texts of their faults. */
export interface RangeForm<Name extends string> {
  readonly names: readonly [from: Name, to: Name];
  readonly parse: typeof parseInstant;
  readonly detail: string;
}

export const FROM_TO: RangeForm<"from" | "to"> = {
  names: ["from", "to"],
  parse: parseInstant,
  detail: "expected an ISO 8601 date or date-time",
};

/** Reads the time range of a query: a plain date means that complete day of the store. An invalid end is null and has a fault. */
export function readRange<Name extends string>(
  query: { readonly [Key in Name]?: string | undefined },
  timeZone: string,
  { names, parse, detail }: RangeForm<Name>,
): TimeRange & { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (parameter: Name, edge: "start" | "end"): Temporal.Instant | null => {
    const text = query[parameter];
    if (text === undefined) return null;
    const instant = parse(text, { timeZone, edge });
    if (instant === null) faults.push({ parameter, detail });
    return instant;
  };
  return { from: read(names[0], "start"), to: read(names[1], "end"), faults };
}

/** The parameters of a statement that is composed of parts. */
export interface Binder {
  readonly params: Param[];
  /** Adds a parameter. Returns its name in the statement, such as `$3`. */
  readonly bind: (value: Param) => string;
  /** Returns the condition of a given filter; null if the filter is not given, and then adds no parameter. */
  readonly bindIf: <Value extends Param>(
    value: Value | null | undefined,
    condition: (name: string) => string,
  ) => string | null;
}

export function createBinder(): Binder {
  const params: Param[] = [];
  const bind = (value: Param) => `$${params.push(value)}`;
  return {
    params,
    bind,
    bindIf: (value, condition) => (value === null || value === undefined ? null : condition(bind(value))),
  };
}

/** Joins the conditions of the given filters, so that each combination has its own statement and its own index. */
export function allOf(conditions: readonly (string | null)[]): string {
  const given = conditions.filter((condition) => condition !== null);
  return given.length === 0 ? "true" : given.join("\n  and ");
}
