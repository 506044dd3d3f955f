import { ADDING_KINDS, MOVEMENT_KINDS, type MovementKind } from "../wire/liability.ts";
import type { MovedRow, OwedRow } from "./report-queries.ts";

/** Points of a month: outstanding at its start, moved by kind, and outstanding at its end. */
export interface PointLine {
  readonly opening: bigint;
  readonly moved: Readonly<Record<MovementKind, bigint>>;
  readonly closing: bigint;
}

const NOTHING_MOVED: Readonly<Record<MovementKind, bigint>> = {
  issued: 0n,
  returned: 0n,
  restored: 0n,
  moved_in: 0n,
  redeemed: 0n,
  expired: 0n,
  taken_back: 0n,
  corrected: 0n,
  forfeited: 0n,
  moved_out: 0n,
};

const NO_POINTS: PointLine = { opening: 0n, moved: NOTHING_MOVED, closing: 0n };

function withOpening(line: PointLine, points: bigint): PointLine {
  return { ...line, opening: line.opening + points, closing: line.closing + points };
}

function withMoved(line: PointLine, kind: MovementKind, points: bigint): PointLine {
  const signed = ADDING_KINDS.includes(kind) ? points : -points;
  return { ...line, moved: { ...line.moved, [kind]: line.moved[kind] + points }, closing: line.closing + signed };
}

/** The lines of a month, grouped by the key of each row: the month of issue, the origin, or one key for all rows. */
export function linesBy<Key>(
  { owed, moved }: { readonly owed: readonly OwedRow[]; readonly moved: readonly MovedRow[] },
  keyOf: (row: OwedRow) => Key,
): Map<Key, PointLine> {
  const lines = new Map<Key, PointLine>();
  for (const row of owed) lines.set(keyOf(row), withOpening(lines.get(keyOf(row)) ?? NO_POINTS, row.points));
  for (const row of moved) lines.set(keyOf(row), withMoved(lines.get(keyOf(row)) ?? NO_POINTS, row.kind, row.points));
  return lines;
}

export function totalLine(rows: { readonly owed: readonly OwedRow[]; readonly moved: readonly MovedRow[] }): PointLine {
  return linesBy(rows, () => "").get("") ?? NO_POINTS;
}

/** What was paid for the goods with which points of a month of issue were issued; `null`: all months. */
export function salesOf(moved: readonly MovedRow[], cohort: number | null): bigint {
  return moved
    .filter((row) => row.origin === "sale" && row.kind === "issued" && (cohort === null || row.cohort === cohort))
    .reduce((sum, { money }) => sum + money, 0n);
}

/** Points of origin sale that were issued without an order in the given months of issue. */
export function unpricedOf(moved: readonly MovedRow[], cohorts: readonly number[]): bigint {
  return moved
    .filter((row) => row.kind === "issued" && cohorts.includes(row.cohort))
    .reduce((sum, { unpriced }) => sum + unpriced, 0n);
}

/** Movements that were booked in a month although their cause was in an earlier one. */
export interface LateLine {
  readonly causeMonth: number;
  readonly kind: MovementKind;
  readonly points: bigint;
  readonly movements: bigint;
}

export function lateLines(month: number, moved: readonly MovedRow[]): LateLine[] {
  const lines = new Map<string, LateLine>();
  for (const { causeMonth, kind, points, movements } of moved) {
    if (causeMonth >= month) continue;
    const key = `${causeMonth} ${kind}`;
    const known = lines.get(key) ?? { causeMonth, kind, points: 0n, movements: 0n };
    lines.set(key, { ...known, points: known.points + points, movements: known.movements + movements });
  }
  return [...lines.values()].sort(
    (a, b) => a.causeMonth - b.causeMonth || MOVEMENT_KINDS.indexOf(a.kind) - MOVEMENT_KINDS.indexOf(b.kind),
  );
}
