import type { CustomerRef } from "../customer-ref.ts";

/** Points set aside: not available, and without an allotment until they are captured (program.md 3). */
export interface Hold {
  readonly uid: string;
  readonly customer: CustomerRef;
  /** At least 1. */
  readonly points: bigint;
  readonly state: "held" | "captured" | "released";
  /** Points that became a deduction; 0 unless captured. */
  readonly captured: bigint;
  /** When the held points become available again by themselves; null: only when somebody ends the hold. */
  readonly expiresAt: Temporal.Instant | null;
}

/** The end of a hold: at its own time, or by a capture or release. */
export interface HoldEnd {
  readonly uid: string;
  /** All points of the hold. */
  readonly points: bigint;
  /** The points that are posted now; the rest is free from `at` on. */
  readonly captured: bigint;
  readonly at: Temporal.Instant;
}

/** Returns the state of a hold at a moment: a hold past its end is released, even if that was not written yet. */
export function holdStateAt({ state, expiresAt }: Hold, now: Temporal.Instant): Hold["state"] {
  const isOver = expiresAt !== null && Temporal.Instant.compare(expiresAt, now) <= 0;
  return state === "held" && isOver ? "released" : state;
}

/** Returns why a hold cannot be captured or released now; null: it can. */
export function endRefusal(hold: Hold, now: Temporal.Instant): "reservation_captured" | "reservation_released" | null {
  const state = holdStateAt(hold, now);
  return state === "held" ? null : `reservation_${state}`;
}

/** Returns the natural key of a hold's capture (program.md 3). A capture ends the hold, so there is only one. */
export function captureKey(uid: string): string {
  return `hold/${uid}/1`;
}

/** Joins holds that are over and holds that end now, in this order. A customer may have thousands of both. */
export function joinEnds(over: readonly HoldEnd[] = [], ending: readonly HoldEnd[] = []): readonly HoldEnd[] {
  if (over.length === 0) return ending;
  const ends = new Set(ending.map(({ uid }) => uid));
  return [...over.filter(({ uid }) => !ends.has(uid)), ...ending];
}
