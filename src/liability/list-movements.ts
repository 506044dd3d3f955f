import type { Queryable } from "../db/pool.ts";
import type { ReadDeps } from "../deps.ts";
import { decodeCursor, encodeCursor, instantOfCursor } from "../http/paging.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import { type Fault, Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant, startOfMonthIndex } from "../time/store-time.ts";
import { MOVEMENT_KINDS, type MovementKind } from "../wire/liability.ts";
import { selectBook } from "./book-queries.ts";
import { parseMonth } from "./month.ts";
import { movementKindOf, typesOfKind, UNSTATED } from "./movement-kind.ts";
import { movementsSql } from "./movement-sql.ts";
import { selectClosedMonths } from "./report-queries.ts";

const PAGE_ROWS = 100;
/** The most allotments that are read for one page. */
const LOOK = 5_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FIRST_UID = "00000000-0000-0000-0000-000000000000";

/** The filters of a list of movements; months are `2026-10`. */
export interface MovementFilter {
  readonly month: string;
  readonly kind: MovementKind;
  readonly cohort?: string | undefined;
  readonly origin?: string | undefined;
  /** The month of the cause, which can be before the one in which the movement was booked. */
  readonly cause?: string | undefined;
  readonly cursor?: string | undefined;
}

/** One allotment, with those of its movements that the filter includes. */
export interface MovementRow {
  readonly uid: string;
  readonly allottedAt: Temporal.Instant;
  readonly type: AllotmentType;
  readonly customerId: string | null;
  readonly points: bigint;
  /**
   * What was paid where the points were earned, in minor units, as it is in the report; null: no points were issued, or an earlier version awarded
   * them, without storing it. What their order says now need not be what was counted.
   */
  readonly money: bigint | null;
}

export interface MovementPage {
  /** That of the money. */
  readonly currency: string;
  readonly rows: readonly MovementRow[];
  /** Null where there are no more pages. An empty page may have a next one. */
  readonly nextCursor: string | null;
}

/** The most types of allotments that a kind of movement has. */
const TYPES = Math.max(...MOVEMENT_KINDS.map((kind) => typesOfKind(kind).length));
const SLOTS = Array.from({ length: TYPES }, (_, n) => n + 1);

// The oldest allotments of each type after the cursor: one subquery a type, as a Citus has no lateral one. Types and times are compared and sorted as
// pairs, which only the index on types can do. Otherwise the planner, which takes a frequent type for one that occurs all the time, may read the
// whole month by time, for types of which that month has none.
const CHOSEN = `with ${SLOTS.map(
  (n) => `of_type_${n} as materialized (
    select b.uid, b.allotted_at
    from allotment b
    where (b.type, b.allotted_at, b.uid) > (($1::text[])[${n}], $2::timestamptz, $3::uuid)
      and (b.type, b.allotted_at) < (($1::text[])[${n}], $4::timestamptz)
      and b.point_value <> 0
    order by b.type, b.allotted_at, b.uid
    limit ${LOOK})`,
).join(",\n  ")},
  oldest as materialized (
    select uid
    from (${SLOTS.map((n) => `select uid, allotted_at from of_type_${n}`).join(" union all ")}) b
    order by allotted_at, uid
    limit ${LOOK})
  select a.*
  from oldest u
  join allotment a on a.uid = u.uid`;

const FITS = `($5::timestamptz is null or m.since >= $5)
        and ($6::timestamptz is null or m.since < $6)
        and ($7::text is null or coalesce(m.origin, '${UNSTATED}') = $7)
        and ($8::timestamptz is null or m.cause_at >= $8)
        and ($9::timestamptz is null or m.cause_at < $9)`;

const ROWS = `${movementsSql(CHOSEN)},
found as materialized (
  select m.bucket, m.customer_uid, m.uid, m.allotted_at, m.type, m."isGain", m.source,
    sum(m.points) filter (where ${FITS})::text as points,
    case when bool_and(m."isPriced") then sum(m.money) filter (where ${FITS})::text end as money
  from movement m
  group by 1, 2, 3, 4, 5, 6, 7)
select f.uid,
  f.allotted_at as "allottedAt",
  f.type,
  f."isGain",
  f.source,
  f.points,
  f.money,
  c.storefront_id as "customerId"
from found f
left join customer c on c.bucket = f.bucket and c.customer_uid = f.customer_uid
order by f.allotted_at, f.uid`;

type Found = Omit<MovementRow, "points" | "money"> & {
  readonly isGain: boolean;
  readonly source: string;
  readonly points: string | null;
  readonly money: string | null;
};

/** A page of the movements behind a figure, oldest first. Throws `invalid`, which lists every fault. */
export async function listMovements(
  deps: Pick<ReadDeps, "db">,
  { kind, ...filter }: MovementFilter,
): Promise<MovementPage> {
  const { from, to, cohort, cause, after, currency } = await readFilter(deps.db, filter);
  const found = await deps.db.query<Found>(ROWS, [
    typesOfKind(kind),
    after?.at ?? from,
    after?.uid ?? FIRST_UID,
    to,
    cohort?.from ?? null,
    cohort?.to ?? null,
    filter.origin ?? null,
    cause?.from ?? null,
    cause?.to ?? null,
  ]);
  const fitting = found.filter((row) => row.points !== null && movementKindOf(row) === kind);
  const rows = fitting.slice(0, PAGE_ROWS);
  const last = fitting.length > PAGE_ROWS ? rows.at(-1) : found.length >= LOOK ? found.at(-1) : undefined;
  return {
    currency,
    rows: rows.map(({ uid, allottedAt, type, customerId, points, money }) => ({
      ...{ uid, allottedAt, type, customerId, points: BigInt(points ?? 0) },
      money: kind !== "issued" || money === null ? null : BigInt(money),
    })),
    nextCursor: last === undefined ? null : encodeCursor([formatInstant(last.allottedAt), last.uid]),
  };
}

interface Position {
  readonly at: Temporal.Instant;
  readonly uid: string;
}

async function readFilter(queryable: Queryable, { month, cohort, cause, cursor }: Omit<MovementFilter, "kind">) {
  const [book, { store }, closed] = await Promise.all([
    selectBook(queryable),
    readProgram(queryable),
    selectClosedMonths(queryable),
  ]);
  const timeZone = book.timeZone === "" ? store.timeZone : book.timeZone;
  const spanOf = (text: string) => {
    const of = parseMonth(text);
    return of === null ? null : { from: startOfMonthIndex(of, timeZone), to: startOfMonthIndex(of + 1, timeZone) };
  };
  const faults: Fault[] = [];
  const read = (parameter: string, text: string | undefined) => {
    const span = text === undefined ? null : spanOf(text);
    if (text !== undefined && span === null) faults.push({ parameter, detail: "expected a month, as 2026-10" });
    return span;
  };
  const [booked, issued, caused] = [read("month", month), read("cohort", cohort), read("cause", cause)];
  const after = cursor === undefined ? null : readPosition(cursor);
  if (cursor !== undefined && after === null) {
    faults.push({ parameter: "cursor", detail: "expected `next_cursor` of the page before" });
  }
  if (faults.length > 0 || booked === null) throw new Problem("invalid", { faults });
  const currency = closed.find((each) => each.month === parseMonth(month))?.currency ?? store.currency;
  return { from: booked.from, to: sooner(booked.to, book.allottedAt), cohort: issued, cause: caused, after, currency };
}

/** The earlier of both ends: movements that are not counted yet are in no figure, so the list leaves them out. */
function sooner(end: Temporal.Instant, countedTo: Temporal.Instant | null): Temporal.Instant {
  const after = countedTo?.add({ microseconds: 1 }) ?? end;
  return Temporal.Instant.compare(after, end) < 0 ? after : end;
}

function readPosition(cursor: string): Position | null {
  const [at = "", uid = ""] = decodeCursor(cursor) ?? [];
  const instant = instantOfCursor(at);
  return instant === null || !UUID.test(uid) ? null : { at: instant, uid };
}
