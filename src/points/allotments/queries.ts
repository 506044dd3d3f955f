import type { Queryable } from "../../db/pool.ts";
import { BOOKMARK_EVERY } from "./page-window.ts";
import { ALLOTMENT_COLUMNS, type AllotmentRow } from "./view.ts";

/** A position in the store's list: an allotment's time and uid. */
export interface Position {
  readonly allottedAt: Temporal.Instant;
  readonly uid: string;
}

/** A bookmark, with the number of rows before it. */
export interface Bookmark extends Position {
  readonly n: bigint;
}

/** The highest possible uid: a position with it is after every allotment of its time. */
export const LAST_UID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
export const FIRST_POSITION: Position = {
  allottedAt: Temporal.Instant.from("0001-01-01T00:00:00Z"),
  uid: "00000000-0000-0000-0000-000000000000",
};
export const LAST_POSITION: Position = { allottedAt: Temporal.Instant.from("9999-12-31T00:00:00Z"), uid: LAST_UID };

// For one type: the type is compared with a list of one and ordered by. Only the index that begins with the type has that order. If the type were
// compared with `=`, PostgreSQL might walk the store's list by time over millions of rows of other types, for example after a rare type's last row.
const rows = (hasType: boolean, direction: "asc" | "desc", from: ">" | ">=") => `select ${ALLOTMENT_COLUMNS}
from allotment a
where ${hasType ? "a.type = any (array[$6::text])" : "$6::text is null"}
  and (a.allotted_at, a.uid) ${from} ($1, $2)
  and (a.allotted_at, a.uid) < ($3, $4)
order by ${hasType ? `a.type ${direction}, ` : ""}a.allotted_at ${direction}, a.uid ${direction}
limit $5 offset $7`;

const TEXTS = {
  asc: { true: rows(true, "asc", ">"), false: rows(false, "asc", ">") },
  desc: { true: rows(true, "desc", ">"), false: rows(false, "desc", ">") },
  from: { true: rows(true, "asc", ">="), false: rows(false, "asc", ">=") },
} as const;

export interface Range {
  readonly type: string | null;
  readonly after: Position;
  readonly before: Position;
}

/** Returns rows strictly between two positions, from either end. */
export function selectBetween(
  db: Queryable,
  range: Range,
  direction: "asc" | "desc",
  limit: number,
): Promise<AllotmentRow[]> {
  return select(db, TEXTS[direction][range.type === null ? "false" : "true"], range, limit, 0);
}

/** Returns ascending rows from a position on, including it, without the first `offset`. */
export function selectFrom(db: Queryable, range: Range, limit: number, offset: number): Promise<AllotmentRow[]> {
  return select(db, TEXTS.from[range.type === null ? "false" : "true"], range, limit, offset);
}

function select(
  db: Queryable,
  text: string,
  { type, after, before }: Range,
  limit: number,
  offset: number,
): Promise<AllotmentRow[]> {
  return db.query<AllotmentRow>(text, [
    after.allottedAt,
    after.uid,
    before.allottedAt,
    before.uid,
    limit,
    type,
    offset,
  ]);
}

const BOOKMARK = `select n, allotted_at as "allottedAt", uid
from bookmark
where scope = $1 and n <= $2
order by n desc
limit 1`;

/** Returns the last bookmark at or before a row number; undefined: there is none, so start at the first row. */
export async function bookmarkAt(db: Queryable, type: string | null, position: number): Promise<Bookmark | undefined> {
  const [bookmark] = await db.query<Bookmark>(BOOKMARK, [type ?? "", BigInt(Math.floor(position / BOOKMARK_EVERY))]);
  return bookmark;
}

const BOOKMARK_BEFORE = `select n, allotted_at as "allottedAt", uid
from bookmark
where scope = $1 and (allotted_at, uid) <= ($2, $3)
order by allotted_at desc, uid desc
limit 1`;

/** Rows that one statement counts: few enough to be read in index order, whatever the planner's estimate is. */
const COUNT_STEP = 10_000;

// For one type: the type is compared as part of the position and ordered by, never with `=`, for the same reason.
const COUNT = (hasType: boolean) => `with walked as materialized (
  select a.allotted_at, a.uid
  from allotment a
  where ${
    hasType
      ? `(a.type, a.allotted_at, a.uid) >= ($5, $1, $2)
    and (a.type, a.allotted_at, a.uid) < ($5, $3, $4)
  order by a.type, a.allotted_at, a.uid`
      : `$5::text is null
    and (a.allotted_at, a.uid) >= ($1, $2)
    and (a.allotted_at, a.uid) < ($3, $4)
  order by a.allotted_at, a.uid`
  }
  limit ${COUNT_STEP + 1})
select w.allotted_at as "allottedAt",
  w.uid,
  (select count(*) from walked) as n
from walked w
order by w.allotted_at desc, w.uid desc
limit 1`;
const COUNTS = { true: COUNT(true), false: COUNT(false) } as const;

/** Returns how many rows of the list are before a position. Rows up to the last bookmark before it are not counted again. */
export async function rankOf(db: Queryable, type: string | null, position: Position): Promise<number> {
  const [bookmark] = await db.query<Bookmark>(BOOKMARK_BEFORE, [type ?? "", position.allottedAt, position.uid]);
  let rank = Number(bookmark?.n ?? 0n) * BOOKMARK_EVERY;
  for (let from: Position = bookmark ?? FIRST_POSITION; ; ) {
    // the last counted row, and the number of rows up to it
    const [last] = await db.query<Bookmark>(COUNTS[type === null ? "false" : "true"], [
      from.allottedAt,
      from.uid,
      position.allottedAt,
      position.uid,
      type,
    ]);
    const count = Number(last?.n ?? 0n);
    if (last === undefined || count <= COUNT_STEP) return rank + count;
    rank += COUNT_STEP;
    from = last;
  }
}
