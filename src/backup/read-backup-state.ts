import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import type { Queryable } from "../db/pool.ts";
import { type LogLag, logLag, readArchivedMark } from "./archived-mark.ts";
import { selectBackupFacts, selectLogPosition } from "./backup-queries.ts";
import { readWaitingLog, type WaitingLog } from "./read-waiting-log.ts";

/** The state of the store's backups. */
export interface BackupState {
  /** Whether this node's settings have a schedule (POINTKEEPER_BACKUP_DIR). */
  readonly isScheduled: boolean;
  /** Whether this node or a worker has a schedule: an API node needs no place of backups to say how they are. */
  readonly isPlanned: boolean;
  /** The time of the newest complete backup, by schedule or command; null where there is none. */
  readonly lastDoneAt: Temporal.Instant | null;
  readonly lastDoneAgeSeconds: number | null;
  readonly lastDoneBytes: number | null;
  /** The duration of that backup. */
  readonly lastDoneSeconds: number | null;
  /** The error of the newest scheduled backup; null where it did not fail. */
  readonly lastError: string | null;
  /** There is a schedule, but no complete scheduled backup within twice its period; by that of a worker, the next one is late by a day. */
  readonly isOverdue: boolean;
  /** The segments of the log that are not archived yet, and the seconds that the oldest has waited; null where the log is not archived. */
  readonly waitingLog: WaitingLog | null;
  /** How far the archive lies behind; null where the log is not archived, or nothing of it yet. */
  readonly logLag: LogLag | null;
  /** The log should be archived, but has not been for ten minutes, or archiving is off. */
  readonly isLogBehind: boolean;
}

const PERIODS_MAX = 2;
const PLANNED_LATE_S = 86_400n;
const LOG_SECONDS_MAX = 600;
const MS = 1_000;

/**
 * Returns the state of the backups, for Home and the metrics; `now` is the store's time. Reads a few rows, and the spool of the log where it is
 * archived.
 */
export async function readBackupState(
  queryable: Queryable,
  { backup, dataDir }: Pick<Config, "backup" | "dataDir">,
  now: Temporal.Instant,
): Promise<BackupState> {
  const facts = await selectBackupFacts(queryable, now);
  const isScheduled = backup.dir !== undefined;
  const ageSeconds = Number(facts.scheduledAgeSeconds ?? facts.storeAgeSeconds ?? 0n);
  const home = backup.isLogArchived ? await homeOf(dataDir) : null;
  const waitingLog = home === null ? null : await readWaitingLog(home);
  const lag = home === null ? null : await readLag(queryable, home);
  const numberOf = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    isScheduled,
    isPlanned: isScheduled || facts.plannedAgoSeconds !== null,
    lastDoneAt: facts.lastDoneAt,
    lastDoneAgeSeconds: numberOf(facts.lastDoneAgeSeconds),
    lastDoneBytes: numberOf(facts.lastDoneBytes),
    lastDoneSeconds: numberOf(facts.lastDoneSeconds),
    lastError: facts.lastError,
    isOverdue: isScheduled
      ? ageSeconds > (PERIODS_MAX * backup.everyMs) / MS
      : (facts.plannedAgoSeconds ?? 0n) > PLANNED_LATE_S,
    waitingLog,
    logLag: lag,
    isLogBehind:
      waitingLog !== null &&
      (!facts.isArchiving ||
        waitingLog.oldestSeconds > LOG_SECONDS_MAX ||
        (lag?.servedSeconds ?? 0) > LOG_SECONDS_MAX + backup.logSeconds),
  };
}

async function readLag(queryable: Queryable, home: string): Promise<LogLag | null> {
  const position = await selectLogPosition(queryable);
  return logLag(await readArchivedMark(home), position);
}
