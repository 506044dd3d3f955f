/** Turns a second that all dead receivers of a process share, and the attempts of one turn. */
const TURNS_A_SECOND = 40;
export const ATTEMPTS_A_TURN = 8;
/** What a healthy receiver's reads stay apart; dead ones read no more often than one healthy receiver, all together. */
const READS_APART_MS = 20;
const READS_APART_MAX_MS = 5_000;

/**
 * The dead receivers that one process serves. They share a pace of attempts and of reads, one after the other, so that many of them take
 * little from those that answer.
 */
export interface DeadReceivers {
  readonly served: Set<object>;
  nextTurnMs: number;
}

export function noDeadReceivers(): DeadReceivers {
  return { served: new Set(), nextTurnMs: 0 };
}

/** Notes whether a receiver is dead. */
export function noteHealth(of: DeadReceivers, receiver: object, isDead: boolean): void {
  if (isDead) of.served.add(receiver);
  else of.served.delete(receiver);
}

/** Takes the next free turn; returns in how many milliseconds it comes. */
export function takeTurn(of: DeadReceivers, nowMs: number): number {
  const turnMs = Math.max(of.nextTurnMs, nowMs);
  of.nextTurnMs = turnMs + 1_000 / TURNS_A_SECOND;
  return turnMs - nowMs;
}

/** How long after a read of a receiver its next one comes at the earliest. */
export function readsApartMs(of: DeadReceivers, receiver: object): number {
  if (!of.served.has(receiver)) return READS_APART_MS;
  return Math.min(READS_APART_MS * of.served.size, READS_APART_MAX_MS);
}
