import type { ObjectStoreAccess } from "../object-store/object-place.ts";
import type { FoundBackup } from "./choose-backup.ts";
import { listArchivedLog, logDirOf, logFrom, segmentSuffix } from "./log-archive.ts";

/**
 * Returns how the name of the first segment ends that the log archived since a backup lacks although later ones are there; null: none is missing, or the
 * backup is logical. Without it a restore of that backup ends there.
 */
export async function readLogGap(
  dir: string,
  { manifest: { base } }: FoundBackup,
  access: ObjectStoreAccess | null,
): Promise<string | null> {
  if (base === null) return null;
  const { gapAt } = logFrom(await listArchivedLog(logDirOf(dir, base.systemId), access), base.firstSegment);
  return gapAt === null ? null : segmentSuffix(gapAt);
}
