import type { Deps } from "../../src/deps.ts";
import { aggregateLiability } from "../../src/liability/aggregate-liability.ts";
import { selectBook } from "../../src/liability/book-queries.ts";
import type { TestClock } from "./clock.ts";
import { waitUntil } from "./wait-until.ts";

const NEWEST = "select max(allotted_at) as at from allotment";

/** Aggregates until the liability includes the complete ledger: transactions of other databases of the server can delay the settled mark. */
export async function aggregateLiabilityAll({ deps, clock }: { deps: Deps; clock: TestClock }): Promise<void> {
  const now = deps.clock.now();
  clock.advance({ seconds: 1 });
  const [newest] = await deps.db.query<{ at: Temporal.Instant | null }>(NEWEST);
  await waitUntil(async () => {
    const isDone = await aggregateLiability(deps);
    const { allottedAt } = await selectBook(deps.db);
    return isDone && [now, newest?.at ?? now].every((at) => isAtOrAfter(allottedAt, at));
  });
}

function isAtOrAfter(counted: Temporal.Instant | null, at: Temporal.Instant): boolean {
  return counted !== null && Temporal.Instant.compare(counted, at) >= 0;
}
