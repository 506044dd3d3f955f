import type { BackupState } from "../backup/read-backup-state.ts";
import type { AlertKind } from "../wire/alerts.ts";
import { type BackupRoom, type DiskNotice, gibibytesOf } from "./disk-room.ts";
import type { ServiceHealth } from "./health-queries.ts";

/** Names and numbers for the text of an alert. Stored JSON: it only gains fields. */
export interface AlertAbout {
  /** The name of a receiver's topic, a job or a person, or a folder. */
  readonly name?: string;
  readonly count?: number;
  readonly state?: string;
}

/** A condition that needs a person now; its alert is open as long as it is found. */
export interface AlertFinding {
  readonly kind: AlertKind;
  /** A natural key within the kind. */
  readonly subject: string;
  readonly about: AlertAbout;
}

/** Points that a person moved by hand within the allowance's hours, in the direction with the larger sum. */
export interface LargeMove {
  readonly staffUid: string;
  readonly name: string;
  readonly points: bigint;
}

/** A change that waits for a second person. */
export interface WaitingRequest {
  readonly uid: string;
  readonly kind: string;
  readonly name: string;
  /** Null: it is no change of one customer's points. */
  readonly points: bigint | null;
}

/** The facts from which findings are computed. */
export interface StoreFacts {
  readonly health: Pick<ServiceHealth, "receiversDead" | "jobsTroubled" | "ledgerBreaches">;
  readonly backup: BackupState;
  readonly largeMoves: readonly LargeMove[];
  readonly requests: readonly WaitingRequest[];
  /** Null: the disk of the database has room, or is elsewhere. */
  readonly disk: DiskNotice | null;
  /** Null: the disk of the backups has room for the next one, or is not watched. `kept`: its open alert stays, because its room is unknown now. */
  readonly backupRoom: BackupRoom | "kept" | null;
}

/** The state of the scheduled backups in one word, for Home and for alerts. */
export function backupStateOf({ isOverdue, lastError, isLogBehind }: BackupState) {
  if (isOverdue) return "overdue";
  if (lastError !== null) return "failed";
  return isLogBehind ? "log_behind" : "well";
}

/** The maximum number of open alerts; further findings are left out until some are over. */
const FINDINGS_MAX = 200;

/** Returns the findings of the chosen kinds. */
export function findingsOf(facts: StoreFacts, kinds: readonly AlertKind[]): AlertFinding[] {
  const { health, largeMoves, requests } = facts;
  const found: AlertFinding[] = [
    ...breachFindings(health.ledgerBreaches),
    ...backupFindings(facts.backup),
    ...diskFindings(facts.disk),
    ...backupRoomFindings(facts.backupRoom),
    ...health.jobsTroubled.map((name): AlertFinding => ({ kind: "job_troubled", subject: name, about: { name } })),
    ...health.receiversDead.map(
      ({ uid, topic }): AlertFinding => ({ kind: "receiver_dead", subject: uid, about: { name: topic } }),
    ),
    ...largeMoves.map(
      ({ staffUid, name, points }): AlertFinding => ({
        kind: "grant_unusual",
        subject: staffUid,
        about: { name, count: Number(points) },
      }),
    ),
    ...requests.map(
      ({ uid, kind, name, points }): AlertFinding => ({
        kind: "approval_waiting",
        subject: uid,
        about: { name, count: Number(points ?? 0n), state: kind },
      }),
    ),
  ];
  return found.filter(({ kind }) => kinds.includes(kind)).slice(0, FINDINGS_MAX);
}

function breachFindings(breaches: bigint): AlertFinding[] {
  return breaches === 0n ? [] : [{ kind: "ledger_breach", subject: "ledger", about: { count: Number(breaches) } }];
}

function backupFindings(backup: BackupState): AlertFinding[] {
  const state = backupStateOf(backup);
  if (!backup.isScheduled || state === "well") return [];
  return [{ kind: "backup_old", subject: "backup", about: { state } }];
}

/** A disk that fills further has a second finding. */
function diskFindings(disk: DiskNotice | null): AlertFinding[] {
  if (disk === null) return [];
  const { states, freeBytes, freeFiles } = disk;
  return states.map((state) => ({
    kind: "disk_low",
    subject: state,
    about: { state: `disk_${state}`, count: state === "few_files" ? (freeFiles ?? 0) : gibibytesOf(freeBytes) },
  }));
}

/** The subject of the finding about the disk of the backups. */
export const BACKUP_DISK = "backups";

function backupRoomFindings(room: StoreFacts["backupRoom"]): AlertFinding[] {
  if (room === null) return [];
  const figures = room === "kept" ? {} : { name: room.dir, count: gibibytesOf(room.freeBytes) };
  const about = { state: "disk_backups", ...figures };
  return [{ kind: "disk_low", subject: BACKUP_DISK, about }];
}
