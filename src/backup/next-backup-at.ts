import type { Deps } from "../deps.ts";
import { isAhead } from "../time/is-ahead.ts";
import { selectIsBackupKept } from "./backup-queries.ts";

/**
 * Returns when the next scheduled backup is due; null: there is no schedule. It is due at once where the settings name another place than before, or the
 * log is archived from now on: without a backup of the right kind there, the archived log is of no use, and the place is empty for up to a period. It is
 * due at once too where the last one was made by a clock that was ahead and has been corrected since.
 */
export async function nextBackupAt(
  { db, config: { backup }, clock }: Pick<Deps, "db" | "config" | "clock">,
  doneAt: Temporal.Instant | null,
): Promise<Temporal.Instant | null> {
  const { dir, everyMs, isLogArchived } = backup;
  if (dir === undefined) return null;
  const kind = isLogArchived ? "physical" : "logical";
  if (doneAt === null || isAhead(doneAt, clock.now())) return clock.now();
  if (!(await selectIsBackupKept(db, { kind, dir, withinMs: everyMs }))) return clock.now();
  return doneAt.add({ milliseconds: everyMs });
}
