import { localDate } from "../time/store-time.ts";
import type { AccountKind } from "../wire/account-kinds.ts";
import type { Account } from "./account.ts";
import type { OrderNames } from "./read-order-names.ts";

/** An allotment of a statement's period. */
export interface PeriodRow {
  readonly version: bigint;
  readonly uid: string;
  readonly allottedAt: Temporal.Instant;
  readonly kind: AccountKind;
  readonly pointValue: bigint;
  readonly balanceAfter: bigint;
  readonly object: string | null;
  readonly parent: string | null;
}

/** A movement of points on a day: all points of an order's lines together are one movement. */
export interface PointMovement {
  readonly at: Temporal.Instant;
  readonly kind: AccountKind;
  readonly points: bigint;
  readonly balanceAfter: bigint;
  readonly orderId: string | null;
  readonly orderName: string | null;
  readonly titles: readonly string[];
}

/**
 * The changes of a balance in a period. `opening` plus what `lines` give and take is `closing`; so is `opening` plus `earlierPoints` and the points
 * of the movements.
 */
export interface PointStatement
  extends Pick<Account, "opening" | "lines" | "orders" | "expiries" | "later" | "available"> {
  readonly storefrontId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Store days, both included in the period. */
  readonly from: string;
  readonly until: string;
  readonly today: string;
  readonly closing: bigint;
  /** The number of allotments of the period before the listed ones; `earlierPoints`: their sum. */
  readonly earlierCount: bigint;
  readonly earlierPoints: bigint;
  readonly movements: readonly PointMovement[];
}

/** Joins consecutive rows of one order on one day; oldest first. */
export function movementsOf(
  rows: readonly PeriodRow[],
  names: ReadonlyMap<string, OrderNames>,
  timeZone: string,
): readonly PointMovement[] {
  const movements: { last: PeriodRow; movement: PointMovement }[] = [];
  for (const row of rows) {
    const { orderId = null, orderName = null, lineTitle = null } = names.get(row.uid) ?? {};
    const before = movements.at(-1);
    const isSame = before !== undefined && isTogether(before.last, row, timeZone);
    const known = isSame ? before.movement : firstOf(row);
    const titles = lineTitle === null || known.titles.includes(lineTitle) ? known.titles : [...known.titles, lineTitle];
    const points = known.points + row.pointValue;
    const movement = { ...{ orderId, orderName, titles, points }, at: known.at, kind: row.kind };
    if (isSame) movements.pop();
    movements.push({ last: row, movement: { ...movement, balanceAfter: row.balanceAfter } });
  }
  return movements.map(({ movement }) => movement);
}

function isTogether(a: PeriodRow, b: PeriodRow, timeZone: string): boolean {
  if (a.kind !== b.kind || a.parent === null || a.parent !== b.parent) return false;
  return localDate(a.allottedAt, timeZone) === localDate(b.allottedAt, timeZone);
}

function firstOf({ allottedAt }: PeriodRow): Pick<PointMovement, "at" | "points" | "titles"> {
  return { at: allottedAt, points: 0n, titles: [] };
}
