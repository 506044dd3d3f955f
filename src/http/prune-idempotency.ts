import type { Deps } from "../deps.ts";
import { IDEMPOTENCY_HOURS } from "./idempotency.ts";

const SLICE_ROWS = 5_000;

/** Deletes stored answers that no longer count, in slices of short transactions. Answers how many went. */
export async function pruneIdempotency(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  const before = deps.clock.now().subtract({ hours: IDEMPOTENCY_HOURS });
  for (let total = 0; ; ) {
    const deleted = await deps.db.execute(
      `delete from idempotency
       where ctid = any(array(
         select ctid
         from idempotency
         where created_at <= $1
         order by created_at
         limit ${SLICE_ROWS}
         for update skip locked))`,
      [before],
    );
    total += deleted;
    if (deleted < SLICE_ROWS) return total;
  }
}
