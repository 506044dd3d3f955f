/** A body that is being read within a budget. */
export interface BudgetedBody {
  /** Its bytes that count; only the budget writes this. */
  heldBytes: number;
  /** Called when the body has to be given up; its bytes no longer count. */
  giveUp(): void;
}

export interface BodyBudget {
  /** Begins to count a body. */
  begin(body: BudgetedBody): void;
  /** Counts bytes that have arrived. May give up this body or older ones. */
  take(body: BudgetedBody, bytes: number): void;
  /** Releases all bytes of a body. May be called twice. */
  end(body: BudgetedBody): void;
}

/**
 * Bounds the total bytes of bodies that are being read. Above the limit, the bodies that have been arriving for the longest are given up: a slow
 * sender makes room for a faster one, so that nobody can occupy the budget.
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
