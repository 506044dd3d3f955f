/** Resends after the first attempt; the last one is about 12 days after it (interface.md 6.1). */
export const RESENDS_MAX = 20;

/** A receiver is dead after this many failures in a row (program.md 7). */
export const DEAD_AFTER_FAILURES = 5;

/** A failed delivery holds its customer's later ones back until it has failed this often, while the receiver is not dead. */
export const HOLDING_ATTEMPTS_MAX = 4;

const JITTER = 0.05;
const MICROS_PER_SECOND = 1_000_000;

/** `early`: the one try that a dead receiver's revival gives; it does not count as a resend. */
export type AttemptKind = "first" | "resend" | "early";

/** The state of a delivery after a failed attempt. `attempts` counts the first attempt and its resends. */
export interface Retry {
  state: "waiting" | "failed";
  attempts: number;
  dueAt: Temporal.Instant;
}

/**
 * Returns the state of a delivery after a failed attempt that ended at `endedAt`. The k-th resend is due 2^(k-1) seconds later, plus or minus 5 %.
 * After the last resend the delivery has failed. An early try changes nothing (program.md 7). `fraction` is a random number in [0, 1).
 */
export function retryAfter(
  kind: AttemptKind,
  before: { attempts: number; dueAt: Temporal.Instant },
  endedAt: Temporal.Instant,
  fraction: number,
): Retry {
  if (kind === "early") return { state: "waiting", attempts: before.attempts, dueAt: before.dueAt };
  const attempts = before.attempts + 1;
  if (attempts > RESENDS_MAX) return { state: "failed", attempts, dueAt: endedAt };
  return { state: "waiting", attempts, dueAt: endedAt.add({ microseconds: resendDelayMicros(attempts, fraction) }) };
}

/** Returns the microseconds before the k-th resend, k from 1. */
export function resendDelayMicros(k: number, fraction: number): number {
  const jitter = 1 + JITTER * (2 * fraction - 1);
  return Math.round(2 ** (k - 1) * jitter * MICROS_PER_SECOND);
}

/** A receiver's health: failures in a row, and how often it recovered after it was dead. */
export interface ReceiverHealth {
  failures: number;
  revivals: number;
}

/** Returns the health after one more attempt. The first success of a dead receiver is a revival. */
export function healthAfter(health: ReceiverHealth, isAcknowledged: boolean): ReceiverHealth {
  if (!isAcknowledged) return { failures: health.failures + 1, revivals: health.revivals };
  return { failures: 0, revivals: health.revivals + (isDead(health) ? 1 : 0) };
}

export function isDead(health: ReceiverHealth): boolean {
  return health.failures >= DEAD_AFTER_FAILURES;
}
