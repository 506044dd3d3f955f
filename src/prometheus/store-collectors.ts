import { selectScheduledBackup } from "../backup/backup-queries.ts";
import { readBackupState } from "../backup/read-backup-state.ts";
import { readSelfCheck } from "../checkpoints/self-check-queries.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readBacklog } from "../intake/read-backlog.ts";
import { countWaitingMails } from "../mail/mail-queries.ts";
import { categoryPoints } from "../metrics/movement-category.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { type Sample, sample } from "./families.ts";
import {
  selectCustomerCount,
  selectDatabaseSize,
  selectDeliveryCounts,
  selectJobStatuses,
  selectMailAge,
  selectMovements,
  selectTopicWaits,
} from "./store-queries.ts";

/** Metrics that are read from the database for a scrape: from few rows of indexes, within a second. */
export interface StoreCollector {
  /** The label of `pointkeeper_collector_up`. */
  readonly name: string;
  collect(queryable: Queryable, deps: Pick<Deps, "clock" | "config">): Promise<Sample[]>;
}

const COUNTED_MAX = 10_000;
const MS = 1_000;

/** All collectors, in the order in which they are read. To add one, add its entry, its families (`families.ts`) and an alert. */
export const STORE_COLLECTORS: readonly StoreCollector[] = [
  { name: "webhooks", collect: collectWebhooks },
  { name: "mails", collect: collectMails },
  { name: "receipts", collect: collectReceipts },
  { name: "jobs", collect: collectJobs },
  { name: "points", collect: collectPoints },
  { name: "backup", collect: collectBackup },
  { name: "backup disk", collect: collectBackupDisk },
  { name: "self-check", collect: collectSelfCheck },
  {
    name: "size",
    collect: async (queryable) => sample("pointkeeper_database_size_bytes", await selectDatabaseSize(queryable)),
  },
];

async function collectWebhooks(queryable: Queryable, { clock }: Pick<Deps, "clock">): Promise<Sample[]> {
  const [waits, counts] = await Promise.all([
    selectTopicWaits(queryable, clock.now()),
    selectDeliveryCounts(queryable, COUNTED_MAX + 1),
  ]);
  return [
    ...waits.flatMap(({ topic, outboxS, overdueS }) => [
      ...sample("pointkeeper_outbox_oldest_age_seconds", Math.max(0, outboxS), { topic }),
      ...sample("pointkeeper_delivery_overdue_seconds", Math.max(0, overdueS), { topic }),
    ]),
    ...sample("pointkeeper_deliveries", counts.retrying, { state: "retrying" }),
    ...sample("pointkeeper_deliveries", counts.failed, { state: "failed" }),
    ...sample("pointkeeper_receivers_dead", counts.dead),
  ];
}

async function collectMails(queryable: Queryable, { clock }: Pick<Deps, "clock">): Promise<Sample[]> {
  const [waiting, oldestS] = await Promise.all([
    countWaitingMails(queryable, COUNTED_MAX + 1),
    selectMailAge(queryable, clock.now()),
  ]);
  return [
    ...sample("pointkeeper_mails_waiting", waiting),
    ...sample("pointkeeper_mail_oldest_age_seconds", Math.max(0, oldestS)),
  ];
}

async function collectReceipts(queryable: Queryable): Promise<Sample[]> {
  const { counts, oldestS } = await readBacklog(queryable, COUNTED_MAX);
  return [
    ...Object.entries(counts).flatMap(([state, count]) => sample("pointkeeper_receipts", count, { state })),
    ...sample("pointkeeper_receipt_oldest_age_seconds", oldestS ?? 0),
  ];
}

async function collectJobs(queryable: Queryable, { clock }: Pick<Deps, "clock">): Promise<Sample[]> {
  const jobs = await selectJobStatuses(queryable, clock.now());
  // `job` is a label of Prometheus itself
  return jobs.flatMap(({ job: job_name, succeededAt, lagS, failuresInRow, runs, failures }) => [
    ...sample("pointkeeper_job_lag_seconds", Math.max(0, lagS ?? 0), { job_name }),
    ...sample("pointkeeper_job_last_success_timestamp_seconds", secondsOf(succeededAt), { job_name }),
    ...sample("pointkeeper_job_failures_in_row", failuresInRow, { job_name }),
    ...sample("pointkeeper_job_runs_total", runs - failures, { job_name, outcome: "other" }),
    ...sample("pointkeeper_job_runs_total", failures, { job_name, outcome: "failed" }),
  ]);
}

async function collectPoints(queryable: Queryable): Promise<Sample[]> {
  const [sums, customers] = await Promise.all([selectMovements(queryable), selectCustomerCount(queryable)]);
  const { adjusted, ...movements } = categoryPoints(sums);
  const outstanding = sums.reduce((sum, { gained, taken }) => sum + gained - taken, 0n);
  return [
    ...Object.entries(movements).flatMap(([movement, points]) =>
      sample("pointkeeper_points_total", points, { movement }),
    ),
    ...sample("pointkeeper_points_adjusted", adjusted),
    ...sample("pointkeeper_points_outstanding", outstanding),
    ...sample("pointkeeper_customers", customers),
  ];
}

/** Without a schedule and a backup nothing can be late; with a schedule only, the missing backup is. */
async function collectBackup(
  queryable: Queryable,
  { config, clock }: Pick<Deps, "config" | "clock">,
): Promise<Sample[]> {
  const { lastDoneAt, lastDoneAgeSeconds, ...state } = await readBackupState(queryable, config, clock.now());
  return [
    ...sample("pointkeeper_backup_overdue", state.isScheduled ? Number(state.isOverdue) : null),
    ...sample("pointkeeper_backup_log_behind", state.waitingLog === null ? null : Number(state.isLogBehind)),
    ...sample("pointkeeper_backup_log_behind_seconds", state.logLag?.seconds ?? null),
    ...sample("pointkeeper_backup_log_behind_bytes", state.logLag?.bytes ?? null),
    ...sample("pointkeeper_backup_age_seconds", lastDoneAgeSeconds),
    ...sample("pointkeeper_backup_last_success_timestamp_seconds", secondsOf(lastDoneAt)),
  ];
}

/** The disk itself is read outside of the transaction of a scrape. */
async function collectBackupDisk(queryable: Queryable, { config }: Pick<Deps, "config">): Promise<Sample[]> {
  const { dir } = config.backup;
  if (dir === undefined || isObjectPlace(dir)) return [];
  const { isUnderWay, lastBytes } = await selectScheduledBackup(queryable);
  return sample("pointkeeper_backup_disk_needed_bytes", isUnderWay ? null : (lastBytes ?? 0n));
}

async function collectSelfCheck(queryable: Queryable): Promise<Sample[]> {
  const { breaches, checkedAt } = await readSelfCheck(queryable);
  return [
    ...sample("pointkeeper_selfcheck_breaches", breaches.length),
    ...sample("pointkeeper_selfcheck_last_success_timestamp_seconds", secondsOf(checkedAt)),
  ];
}

function secondsOf(at: Temporal.Instant | null): number | null {
  return at === null ? null : at.epochMilliseconds / MS;
}
