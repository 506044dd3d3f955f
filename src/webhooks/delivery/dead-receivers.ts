/** Turns per second that all dead receivers of a process share, and the attempts of one turn. */
const TURNS_A_SECOND = 10;
export const ATTEMPTS_A_TURN = 8;
/** The minimum time between two reads of a healthy receiver, and of all dead ones together. */
const READS_APART_MS = 20;
/** A dead receiver waits about this long for its read at most, however many there are. */
const READS_WITHIN_MS = 5_000;

/**
 * The dead receivers that one process serves. They share a rate of attempts and of reads, one after the other, so that many of them take little
 * capacity from those that answer.
 */
export interface DeadReceivers {
  readonly served: Set<object>;
  nextTurnMs: number;
  nextReadMs: number;
}

export function noDeadReceivers(): DeadReceivers {
  return { served: new Set(), nextTurnMs: 0, nextReadMs: 0 };
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

/**
 * Returns in how many milliseconds a receiver that was last read at `readAtMs` may be read again. Dead ones take the next free time one after the
 * other, at even distances: if all were read at once, a healthy one would wait for them.
 */
export function takeRead(of: DeadReceivers, receiver: object, readAtMs: number, nowMs: number): number {
  if (!of.served.has(receiver)) return Math.max(0, readAtMs + READS_APART_MS - nowMs);
  const readMs = Math.max(of.nextReadMs, nowMs);
  of.nextReadMs = readMs + Math.min(READS_APART_MS, READS_WITHIN_MS / of.served.size);
  return readMs - nowMs;
}
