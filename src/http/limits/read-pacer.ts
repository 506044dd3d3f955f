/** Shares the reading of bodies fairly, so that no turn of the event loop is filled by a few bodies. */
export interface ReadPacer {
  /** Returns a body's position in the order of the bodies. */
  place(): number;
  /** Counts bytes that were read; true: this turn has read enough, so the body must pause and `wait`. */
  isEnough(bytes: number): boolean;
  /** Calls `resume` at a later turn, for older bodies first. It is also called for a body that was given up meanwhile. */
  wait(place: number, resume: () => void): void;
}

/** How many waiting bodies continue in each turn. */
const RESUMED_AT_ONCE = 2;

/**
 * Lets about `bytesPerTurn` be read in each turn of the event loop, over all bodies, older bodies first: if bodies arrive faster than that,
 * large ones are completed one after the other. On a slow line all of them grow alike. A body that sends nothing delays no other.
 */
export function createReadPacer(bytesPerTurn: number): ReadPacer {
  const waiting = new Map<number, () => void>();
  let places = 0;
  let taken = 0;
  let isScheduled = false;

  function nextTurn(): void {
    isScheduled = false;
    taken = 0;
    if (waiting.size === 0) return;
    for (const place of [...waiting.keys()].sort((a, b) => a - b).slice(0, RESUMED_AT_ONCE)) {
      const resume = waiting.get(place);
      waiting.delete(place);
      resume?.();
    }
    if (waiting.size > 0) schedule();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  return {
    place: () => ++places,
    isEnough(bytes) {
      taken += bytes;
      schedule();
      return taken > bytesPerTurn;
    },
    wait(place, resume) {
      waiting.set(place, resume);
      schedule();
    },
  };
}
