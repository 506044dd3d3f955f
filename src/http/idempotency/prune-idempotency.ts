import type { Deps } from "../../deps.ts";
import { expiredAt, keyTime } from "./idempotency.ts";

const SLICE_ROWS = 5_000;

/** Deletes stored answers that no longer count, in slices of short transactions. Returns how many were deleted. */
export async function pruneIdempotency(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  const now = keyTime(deps.clock);
  for (let total = 0; ; ) {
    const deleted = await deps.db.execute(
      `delete from idempotency
       where ctid = any(array(
         select ctid
         from idempotency
         where created_at <= ${expiredAt("$1")}
         order by created_at
         limit ${SLICE_ROWS}
         for update skip locked))`,
      [now],
    );
    total += deleted;
    if (deleted < SLICE_ROWS) return total;
  }
}
