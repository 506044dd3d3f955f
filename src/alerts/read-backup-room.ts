import { statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { selectBackupFacts } from "../backup/backup-queries.ts";
import type { Deps } from "../deps.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { type BackupRoom, type DiskRoom, roomOf } from "./disk-room.ts";

/** A network share that is away answers after minutes, or never. */
const WAIT_MS = 2_000;

/** The reading that still waits for such a share: one at a time, because each takes one of the few threads for files. */
let waiting: Promise<DiskRoom | null> | null = null;

/** Returns the room for the scheduled backups and the archived log; null: none are made, they go into a bucket, or their folder cannot be read now. */
export async function readBackupRoom(deps: Pick<Deps, "db" | "config" | "clock">): Promise<BackupRoom | null> {
  const { dir } = deps.config.backup;
  if (dir === undefined || isObjectPlace(dir)) return null;
  waiting ??= statfs(dir)
    .then(roomOf, () => null)
    .finally(() => {
      waiting = null;
    });
  const room = await Promise.race([waiting, delay(WAIT_MS, null, { ref: false })]);
  if (room === null) return null;
  const { lastDoneBytes } = await selectBackupFacts(deps.db, deps.clock.now());
  return { ...room, dir, neededBytes: Number(lastDoneBytes ?? 0n) };
}
