/** So long what one person moves is added up. */
export const SUM_HOURS = 24;

/** Points that were moved, each way for itself; both 0 or more. */
export interface Moved {
  readonly given: bigint;
  readonly taken: bigint;
}

export const NOTHING_MOVED: Moved = { given: 0n, taken: 0n };

/** What a person moved within `SUM_HOURS` without a second person. */
export interface MovedBefore {
  /** Of the customer in question. */
  readonly customer: Moved;
  /** Of all customers together. */
  readonly day: Moved;
}

/** What a person may move without a second person, each way for itself; null: no limit (program.md 9, staff). */
export interface Limits {
  /** Of one customer within `SUM_HOURS`. */
  readonly approvalLimit: bigint | null;
  /** Of all customers within `SUM_HOURS`. */
  readonly dailyLimit: bigint | null;
}

/** Which limit a movement passes. */
export type Excess = "customer" | "day";

/** What of earlier movements counts with a movement: what went the same way. */
export function movedAlike({ given, taken }: Moved, pointValue: bigint): bigint {
  return pointValue < 0n ? taken : given;
}

/** Whether so much, either way, needs a second person, when the one who asks has moved `earlier` points the same way before. */
export function needsApproval(limit: bigint | null, pointValue: bigint, earlier: bigint): boolean {
  return limit !== null && pointValue !== 0n && (pointValue < 0n ? -pointValue : pointValue) + earlier > limit;
}

/** Which limit an adjustment of so much passes, that of its customer first; null: neither. */
export function adjustmentExcess(limits: Limits, pointValue: bigint, before: MovedBefore): Excess | null {
  if (needsApproval(limits.approvalLimit, pointValue, movedAlike(before.customer, pointValue))) return "customer";
  return needsApproval(limits.dailyLimit, pointValue, movedAlike(before.day, pointValue)) ? "day" : null;
}

/** What a file moves: in all, and of the customer whom it moves most of, with what was moved the same way before. */
export interface FileMoved {
  readonly total: Moved;
  readonly largest: bigint;
}

/** Which limit a file passes, that of a customer first; null: neither. `day`: what its person moved of all customers before. */
export function fileExcess(limits: Limits, { total, largest }: FileMoved, day: Moved): Excess | null {
  if (needsApproval(limits.approvalLimit, largest, 0n)) return "customer";
  const isOver =
    needsApproval(limits.dailyLimit, total.given, day.given) ||
    needsApproval(limits.dailyLimit, -total.taken, day.taken);
  return isOver ? "day" : null;
}

/** The movement that takes a movement back. */
export function reversed({ given, taken }: Moved): Moved {
  return { given: taken, taken: given };
}
