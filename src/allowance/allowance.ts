/** The period over which one person's movements are summed. */
export const SUM_HOURS = 24;

/** Points that were moved, summed separately for each direction; both are 0 or more. */
export interface Moved {
  readonly given: bigint;
  readonly taken: bigint;
}

export const NOTHING_MOVED: Moved = { given: 0n, taken: 0n };

/** Points that a person moved within `SUM_HOURS` without approval by a second person. */
export interface MovedBefore {
  /** For the customer in question. */
  readonly customer: Moved;
  /** For all customers together. */
  readonly day: Moved;
}

/** The limits up to which a person may move points without a second person, in each direction; null: no limit (program.md 9, staff). */
export interface Limits {
  /** For one customer within `SUM_HOURS`. */
  readonly approvalLimit: bigint | null;
  /** For all customers together within `SUM_HOURS`. */
  readonly dailyLimit: bigint | null;
}

/** The limit that a movement exceeds. */
export type Excess = "customer" | "day";

/** Returns the earlier movement in the direction of `pointValue`. */
export function movedAlike({ given, taken }: Moved, pointValue: bigint): bigint {
  return pointValue < 0n ? taken : given;
}

/** Whether `pointValue`, given or taken, needs a second person; `earlier`: the points that the requester has already moved in the same direction. */
export function needsApproval(limit: bigint | null, pointValue: bigint, earlier: bigint): boolean {
  return limit !== null && pointValue !== 0n && (pointValue < 0n ? -pointValue : pointValue) + earlier > limit;
}

/** Returns the limit that an adjustment exceeds, the customer's before the day's; null: neither. */
export function adjustmentExcess(limits: Limits, pointValue: bigint, before: MovedBefore): Excess | null {
  if (needsApproval(limits.approvalLimit, pointValue, movedAlike(before.customer, pointValue))) return "customer";
  return needsApproval(limits.dailyLimit, pointValue, movedAlike(before.day, pointValue)) ? "day" : null;
}

/** The points that a file moves in total, and the most for one customer, with the points that were already moved in the same direction. */
export interface FileMoved {
  readonly total: Moved;
  readonly largest: bigint;
}

/** Returns the limit that a file exceeds, the customer's before the day's; null: neither. `day`: what its person already moved for all customers. */
export function fileExcess(limits: Limits, { total, largest }: FileMoved, day: Moved): Excess | null {
  if (needsApproval(limits.approvalLimit, largest, 0n)) return "customer";
  const isOver =
    needsApproval(limits.dailyLimit, total.given, day.given) ||
    needsApproval(limits.dailyLimit, -total.taken, day.taken);
  return isOver ? "day" : null;
}

/** Returns the movement that undoes a movement. */
export function reversed({ given, taken }: Moved): Moved {
  return { given: taken, taken: given };
}
