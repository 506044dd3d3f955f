import type { CustomerRef } from "./customer-ref.ts";

/** Points reserved for somebody: not available, and no allotment until they are captured (program.md 3). */
export interface Hold {
  readonly uid: string;
  readonly customer: CustomerRef;
  /** 1 or more. */
  readonly points: bigint;
  readonly state: "held" | "captured" | "released";
  /** What became a deduction; 0 unless captured. */
  readonly captured: bigint;
  /** When what is still held comes back by itself; null: when somebody ends the hold. */
  readonly expiresAt: Temporal.Instant | null;
}

/** A hold that ends: at its own time, or by a capture or release. */
export interface HoldEnd {
  readonly uid: string;
  /** All that it held. */
  readonly points: bigint;
  /** How many of them are posted now; the rest is free from `at` on. */
  readonly captured: bigint;
  readonly at: Temporal.Instant;
}

/** What a hold is at a moment: one that is past its end is released, also before that was written. */
export function holdStateAt({ state, expiresAt }: Hold, now: Temporal.Instant): Hold["state"] {
  const isOver = expiresAt !== null && Temporal.Instant.compare(expiresAt, now) <= 0;
  return state === "held" && isOver ? "released" : state;
}

/** Why a hold cannot be captured or released at this moment; null: it can. */
export function endRefusal(hold: Hold, now: Temporal.Instant): "reservation_captured" | "reservation_released" | null {
  const state = holdStateAt(hold, now);
  return state === "held" ? null : `reservation_${state}`;
}

/** The natural key of a hold's capture (program.md 3): a capture ends the hold, so there is one. */
export function captureKey(uid: string): string {
  return `hold/${uid}/1`;
}
