import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { backUp } from "./back-up.ts";
import { type FoundBackup, listScheduled, scheduledName } from "./choose-backup.ts";
import { isSegment, listArchivedLog, logDirOf, segmentNumber } from "./log-archive.ts";
import { BackupError } from "./manifest.ts";

const DRAFT = /^pointkeeper-\d{8}T\d{6}Z\.partial-\d+$/;

/**
 * Makes the next scheduled backup in POINTKEEPER_BACKUP_DIR, of the files where the log is archived, else of the rows; then removes what is
 * more than POINTKEEPER_BACKUP_KEEP backups, and the log that none of those kept needs. Returns 1, or 0 where it was stopped.
 */
export async function backUpScheduled(
  deps: Pick<Deps, "db" | "config" | "random" | "log">,
  signal: AbortSignal,
): Promise<number> {
  const { dir, isLogArchived, keep } = deps.config.backup;
  if (dir === undefined) return 0;
  await removeDrafts(dir);
  const path = join(dir, scheduledName(Temporal.Now.instant()));
  const kind = isLogArchived ? "physical" : "logical";
  try {
    await backUp(deps, { path, kind, cause: "schedule", signal });
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
  await prune(dir, keep);
  return 1;
}

/** Of runs whose process died: no other runs now. */
async function removeDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dir).catch(() => []))
    if (DRAFT.test(name)) await rm(join(dir, name), { recursive: true, force: true });
}

async function prune(dir: string, keep: number): Promise<void> {
  const backups = await listScheduled(dir);
  const kept = backups.slice(-keep);
  for (const { path } of backups.slice(0, -keep)) await rm(path, { recursive: true, force: true });
  await pruneLog(dir, kept);
}

/** Of each cluster the log before its oldest backup; of a cluster without a backup nothing. */
async function pruneLog(dir: string, kept: readonly FoundBackup[]): Promise<void> {
  const bases = kept.flatMap(({ manifest: { base } }) => (base === null ? [] : [base]));
  for (const [systemId, ofCluster] of Map.groupBy(bases, (base) => base.systemId)) {
    const numbers = ofCluster.map(({ firstSegment }) => segmentNumber(firstSegment));
    const oldest = numbers.reduce((least, number) => (number < least ? number : least));
    for (const { name, path } of await listArchivedLog(logDirOf(dir, systemId)))
      if (isSegment(name) && segmentNumber(name) < oldest) await rm(path, { force: true });
  }
  if (kept.length === 0) throw new BackupError(`${dir} holds no backup although one was just made.`);
}
