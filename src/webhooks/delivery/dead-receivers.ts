/** Turns per second that all dead receivers of a process share, and the attempts of one turn. */
const TURNS_A_SECOND = 40;
export const ATTEMPTS_A_TURN = 8;
/** The minimum time between two reads of a healthy receiver. All dead ones together read no more often than one healthy receiver. */
const READS_APART_MS = 20;
const READS_APART_MAX_MS = 5_000;

/**
 * The dead receivers that one process serves. They share a rate of attempts and of reads, one after the other, so that many of them take little
 * capacity from those that answer.
 */
export interface DeadReceivers {
  readonly served: Set<object>;
  nextTurnMs: number;
}

export function noDeadReceivers(): DeadReceivers {
  return { served: new Set(), nextTurnMs: 0 };
}

/** Records whether a receiver is dead. */
export function recordHealth(of: DeadReceivers, receiver: object, isDead: boolean): void {
  if (isDead) of.served.add(receiver);
  else of.served.delete(receiver);
}

/** Takes the next free turn; returns in how many milliseconds it begins. */
export function takeTurn(of: DeadReceivers, nowMs: number): number {
  const turnMs = Math.max(of.nextTurnMs, nowMs);
  of.nextTurnMs = turnMs + 1_000 / TURNS_A_SECOND;
  return turnMs - nowMs;
}

/** Returns the minimum time in milliseconds between two reads of a receiver. */
export function readsApartMs(of: DeadReceivers, receiver: object): number {
  if (!of.served.has(receiver)) return READS_APART_MS;
  return Math.min(READS_APART_MS * of.served.size, READS_APART_MAX_MS);
}
