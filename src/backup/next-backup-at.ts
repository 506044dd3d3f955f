import { wasAhead } from "../db/was-ahead.ts";
import type { Deps } from "../deps.ts";
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
  const now = clock.now();
  if (doneAt === null || (await wasAhead({ db, clock }, doneAt))) return now;
  const dueAt = doneAt.add({ milliseconds: everyMs });
  const isLate = Temporal.Instant.compare(dueAt, now) < 0; // how late is what Home of an API node shows
  return isLate || (await selectIsBackupKept(db, { kind, dir, withinMs: everyMs })) ? dueAt : now;
}
