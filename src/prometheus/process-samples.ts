import { roomOf } from "../alerts/disk-room.ts";
import { readDiskRoom } from "../alerts/read-disk-room.ts";
import { readFileSystem } from "../backup/read-file-system.ts";
import type { Deps } from "../deps.ts";
import type { Instruments } from "../instruments/instruments.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { histogramSamples, type Sample, sample } from "./families.ts";

/** A scrape does not wait longer for the disk of the backups. */
const SHARE_MS = 1_000;

/** Returns the metrics that this process has without the database. */
export async function processSamples(
  deps: Pick<Deps, "config" | "db" | "reads" | "instruments">,
  version: string,
): Promise<Sample[]> {
  return [
    ...sample("pointkeeper_info", 1, { version, role: deps.config.role }),
    ...instrumentSamples(deps.instruments),
    ...connectionSamples(deps),
    ...replicaSamples(deps),
    ...(await diskSamples(deps)),
    ...(await backupDiskSamples(deps)),
  ];
}

function instrumentSamples({ routes, batches, attempts, mails, workFailures, logLines }: Instruments): Sample[] {
  return [
    ...[...routes.values()].flatMap(({ method, route, byStatus, seconds }) => [
      ...[...byStatus].flatMap(([status, count]) =>
        sample("pointkeeper_http_requests_total", count, { method, route, status }),
      ),
      // an alert sees a failure as a rise from 0, so a 0 must come before it
      ...(byStatus.size === 0 || byStatus.has(500)
        ? []
        : sample("pointkeeper_http_requests_total", 0, { method, route, status: 500 })),
      ...histogramSamples("pointkeeper_http_request_duration_seconds", seconds, { method, route }),
    ]),
    ...[...batches].flatMap(([queue, { waiting, inFlight, sizes, seconds }]) => [
      ...sample("pointkeeper_queue_waiting", waiting(), { queue }),
      ...sample("pointkeeper_batches_in_flight", inFlight, { queue }),
      ...histogramSamples("pointkeeper_batch_size", sizes, { queue }),
      ...histogramSamples("pointkeeper_batch_duration_seconds", seconds, { queue }),
    ]),
    ...[...attempts].flatMap(([topic, { byResult, seconds }]) => [
      ...Object.entries(byResult).flatMap(([result, count]) =>
        sample("pointkeeper_webhook_attempts_total", count, { topic, result }),
      ),
      ...histogramSamples("pointkeeper_webhook_attempt_duration_seconds", seconds, { topic }),
    ]),
    ...[...mails].flatMap(([about, outcomes]) =>
      Object.entries(outcomes).flatMap(([outcome, count]) =>
        sample("pointkeeper_mails_total", count, { about, outcome }),
      ),
    ),
    ...[...workFailures].flatMap(([work, count]) => sample("pointkeeper_background_failures_total", count, { work })),
    ...Object.entries(logLines).flatMap(([level, count]) => sample("pointkeeper_log_lines_total", count, { level })),
  ];
}

function connectionSamples({ db }: Pick<Deps, "db">): Sample[] {
  const { open, idle, waiting, max } = db.connections();
  return [
    ...sample("pointkeeper_db_connections", open - idle, { state: "busy" }),
    ...sample("pointkeeper_db_connections", idle, { state: "idle" }),
    ...sample("pointkeeper_db_connections_max", max),
    ...sample("pointkeeper_db_connection_waiters", waiting),
  ];
}

function replicaSamples({ reads }: Pick<Deps, "reads">): Sample[] {
  const state = reads.replica();
  if (state === null) return [];
  return [
    ...sample("pointkeeper_replica_used", state.isUsed ? 1 : 0),
    ...sample("pointkeeper_replica_age_seconds", state.ageMs === null ? null : state.ageMs / 1_000),
  ];
}

/** The disk of the embedded database; another server's disk is monitored on that server. */
async function diskSamples(deps: Pick<Deps, "config">): Promise<Sample[]> {
  const room = await readDiskRoom(deps);
  if (room === null) return [];
  return [
    ...sample("pointkeeper_disk_free_bytes", room.freeBytes),
    ...sample("pointkeeper_disk_size_bytes", room.sizeBytes),
    ...sample("pointkeeper_disk_free_files", room.freeFiles),
  ];
}

/** The disk of the scheduled backups, which may be a network share that is away. */
async function backupDiskSamples({ config: { backup } }: Pick<Deps, "config">): Promise<Sample[]> {
  if (backup.dir === undefined || isObjectPlace(backup.dir)) return [];
  const figures = await readFileSystem(backup.dir, SHARE_MS);
  if (typeof figures === "string") return [];
  const { freeBytes, sizeBytes } = roomOf(figures);
  if (sizeBytes === 0) return []; // a file system that gives no figures
  return [
    ...sample("pointkeeper_backup_disk_free_bytes", freeBytes),
    ...sample("pointkeeper_backup_disk_size_bytes", sizeBytes),
  ];
}
