import { selectLargeMoves } from "../allowance/queries.ts";
import { readBackupState } from "../backup/read-backup-state.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { STAND_IN_VERSION } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import type { AlertSettings } from "./alert.ts";
import { selectOpenSubjects } from "./alert-queries.ts";
import { type BackupRoom, type FoundBackupRoom, lacksBackupRoom } from "./disk-room.ts";
import { type AlertFinding, BACKUP_DISK, findingsOf, type WaitingRequest } from "./finding.ts";
import { selectHealth } from "./health-queries.ts";
import { readDiskNotice } from "./read-disk-notice.ts";

const REQUESTS = `select uid, kind, requested_name as name, abs(point_value) as points
from adjustment_request
where state = 'waiting'
order by requested_at desc, uid desc
limit 100`;

const PERCENT = 100n;

/**
 * Reads the conditions that need a person now, those of Home and large movements by hand, from few rows of indexes. `room`: that of the backups, which is
 * read outside of a transaction, because a network share may answer late.
 */
export async function readFindings(
  queryable: Queryable,
  { clock, config, room }: Pick<Deps, "clock" | "config"> & { readonly room: FoundBackupRoom },
  { kinds, grantPercent }: Pick<AlertSettings, "kinds" | "grantPercent">,
): Promise<AlertFinding[]> {
  const now = clock.now();
  const { version, staff } = await readProgram(queryable);
  const health = await selectHealth(queryable, now, version === STAND_IN_VERSION);
  const backup = await readBackupState(queryable, config, now);
  const disk = await readDiskNotice(queryable, { config });
  const isOpen = (await selectOpenSubjects(queryable, "disk_low")).includes(BACKUP_DISK);
  const backupRoom = lackedRoom(room, isOpen);
  const largeMoves =
    staff.dailyLimit === null
      ? []
      : await selectLargeMoves(queryable, now, (staff.dailyLimit * BigInt(grantPercent)) / PERCENT);
  const requests = await queryable.query<WaitingRequest>(REQUESTS);
  return findingsOf({ health, backup, largeMoves, requests, disk, backupRoom }, kinds);
}

/** Returns the room of the backups' disk if it is too little; `kept`: it is unknown, and its open alert stays; null: there is nothing to report. */
function lackedRoom(room: FoundBackupRoom, isOpen: boolean): BackupRoom | "kept" | null {
  if (room === "none") return null;
  if (room === "unknown") return isOpen ? "kept" : null;
  return lacksBackupRoom(room, isOpen) ? room : null;
}
