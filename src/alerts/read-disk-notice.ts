import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { selectOpenSubjects } from "./alert-queries.ts";
import { DISK_STATES, type DiskNotice, diskNotice } from "./disk-room.ts";
import { readDiskRoom } from "./read-disk-room.ts";

/** Returns what the disk of the embedded database lacks, for Home and for alerts; null: nothing, or the database is elsewhere. */
export async function readDiskNotice(
  queryable: Queryable,
  deps: { readonly config: Pick<Deps["config"], "databaseUrl" | "dataDir"> },
): Promise<DiskNotice | null> {
  const room = await readDiskRoom(deps);
  if (room === null) return null;
  const subjects = await selectOpenSubjects(queryable, "disk_low");
  const open = DISK_STATES.filter((state) => subjects.includes(state));
  return diskNotice(room, open);
}
