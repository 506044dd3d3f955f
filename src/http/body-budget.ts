/** What one body holds of a budget while it is read. */
export interface BodyLease {
  /** Counts bytes that have come. May end this lease or older ones: `onGiveUp` is called then. */
  take(bytes: number): void;
  /** Gives everything back. May be called twice. */
  release(): void;
}

export interface BodyBudget {
  /** Begins to count a body. `onGiveUp`: the body has to be given up; its bytes no longer count. */
  lease(onGiveUp: () => void): BodyLease;
}

interface Held {
  bytes: number;
  readonly onGiveUp: () => void;
}

/**
 * Bounds the bytes of bodies that are being read at once. Where they would be more, the bodies that have been coming for the
 * longest are given up: a slow sender makes room for a faster one, so that nobody can occupy the budget.
 */
export function createBodyBudget(bytesMax: number): BodyBudget {
  const open = new Set<Held>(); // in the order of their beginning
  let total = 0;

  function end(held: Held): boolean {
    if (!open.delete(held)) return false;
    total -= held.bytes;
    return true;
  }

  function makeRoom(): void {
    for (const oldest of open) {
      if (total <= bytesMax) return;
      end(oldest);
      oldest.onGiveUp();
    }
  }

  return {
    lease(onGiveUp) {
      const held: Held = { bytes: 0, onGiveUp };
      open.add(held);
      return {
        take(bytes) {
          if (!open.has(held)) return;
          held.bytes += bytes;
          total += bytes;
          makeRoom();
        },
        release: () => void end(held),
      };
    },
  };
}
