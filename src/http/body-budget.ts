/** A body that is being read within a budget. */
export interface BudgetedBody {
  /** The bytes of it that count; written by the budget alone. */
  heldBytes: number;
  /** The body has to be given up; its bytes no longer count. */
  giveUp(): void;
}

export interface BodyBudget {
  /** Begins to count a body. */
  begin(body: BudgetedBody): void;
  /** Counts bytes that have come. May give up this body or older ones. */
  take(body: BudgetedBody, bytes: number): void;
  /** Gives all bytes of a body back. May be called twice. */
  end(body: BudgetedBody): void;
}

/**
 * Bounds the bytes of bodies that are being read at once. Where they would be more, the bodies that have been coming for the
 * longest are given up: a slow sender makes room for a faster one, so that nobody can occupy the budget.
 */
export function createBodyBudget(bytesMax: number): BodyBudget {
  const open = new Set<BudgetedBody>(); // in the order of their beginning
  let total = 0;

  function end(body: BudgetedBody): void {
    if (open.delete(body)) total -= body.heldBytes;
  }

  function makeRoom(): void {
    for (const oldest of open) {
      if (total <= bytesMax) return;
      end(oldest);
      oldest.giveUp();
    }
  }

  return {
    begin(body) {
      body.heldBytes = 0;
      open.add(body);
    },
    take(body, bytes) {
      if (!open.has(body)) return;
      body.heldBytes += bytes;
      total += bytes;
      if (total > bytesMax) makeRoom();
    },
    end,
  };
}
