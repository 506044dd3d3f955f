import type { Histogram } from "../instruments/histogram.ts";

export interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
}

/**
 * Every metric of this service by its name, in addition to those of the process and of Node, which prom-client makes. A released name keeps its
 * meaning: operators' dashboards and alerts depend on it.
 */
export const FAMILIES = {
  pointkeeper_info: { type: "gauge", help: "1, with the version and role of this process." },
  pointkeeper_http_requests_total: {
    type: "counter",
    help: "Requests answered, by method, route pattern and status; what no route takes is the route unknown.",
  },
  pointkeeper_http_request_duration_seconds: { type: "histogram", help: "Time from a request's head to its answer." },
  pointkeeper_queue_waiting: { type: "gauge", help: "Requests that wait for a batch; 503 from 10000 on." },
  pointkeeper_batches_in_flight: { type: "gauge", help: "Batches whose transaction is running." },
  pointkeeper_batch_size: { type: "histogram", help: "Requests in a batch." },
  pointkeeper_batch_duration_seconds: { type: "histogram", help: "Time of a batch, from its begin to its commit." },
  pointkeeper_db_connections: { type: "gauge", help: "Connections of the pool, by state: busy, idle." },
  pointkeeper_db_connections_max: { type: "gauge", help: "Connections that the pool may open." },
  pointkeeper_db_connection_waiters: { type: "gauge", help: "Callers that wait for a connection of the pool." },
  pointkeeper_webhook_attempts_total: {
    type: "counter",
    help: "Webhook requests by topic and result: acknowledged (200), refused (another status), no_answer.",
  },
  pointkeeper_webhook_attempt_duration_seconds: { type: "histogram", help: "Time of a webhook request." },
  pointkeeper_background_failures_total: { type: "counter", help: "Failures of background work in this process." },
  pointkeeper_log_lines_total: { type: "counter", help: "Lines of the log by level, suppressed ones too." },
  pointkeeper_replica_used: { type: "gauge", help: "1: lists are read from the replica; 0: it is not fit for it." },
  pointkeeper_replica_age_seconds: { type: "gauge", help: "How far the replica was behind at the last look." },
  pointkeeper_disk_free_bytes: { type: "gauge", help: "Free space on the disk of the data folder." },
  pointkeeper_disk_size_bytes: { type: "gauge", help: "Size of the disk of the data folder." },
  pointkeeper_disk_free_files: {
    type: "gauge",
    help: "New files that the disk of the data folder takes; absent where their number is not fixed.",
  },
  pointkeeper_backup_disk_free_bytes: {
    type: "gauge",
    help: "Free space on the disk of POINTKEEPER_BACKUP_DIR; absent for a bucket, and while the folder cannot be read.",
  },
  pointkeeper_backup_disk_size_bytes: { type: "gauge", help: "Size of the disk of POINTKEEPER_BACKUP_DIR." },
  pointkeeper_backup_disk_needed_bytes: {
    type: "gauge",
    help: "What the newest scheduled backup takes, as the next one will; 0: there is none. Absent while one is being made.",
  },
  pointkeeper_database_up: { type: "gauge", help: "1: the database answered this scrape." },
  pointkeeper_database_size_bytes: { type: "gauge", help: "Size of the database." },
  pointkeeper_collector_up: { type: "gauge", help: "1: what is read from the database under this name was read." },
  pointkeeper_collector_duration_seconds: { type: "gauge", help: "How long that took." },
  pointkeeper_outbox_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest event of a topic that waits for its first attempt; 0: none waits.",
  },
  pointkeeper_delivery_overdue_seconds: {
    type: "gauge",
    help: "How long the longest due delivery of a topic has been due; 0: none is.",
  },
  pointkeeper_deliveries: { type: "gauge", help: "Deliveries by state, retrying or failed; counted up to 10001." },
  pointkeeper_receivers_dead: { type: "gauge", help: "Webhook receivers that are considered dead." },
  pointkeeper_mails_total: {
    type: "counter",
    help: "Attempts to send a mail, by what it is about and the outcome: sent, failed (given up), retried.",
  },
  pointkeeper_mails_waiting: { type: "gauge", help: "Mails that wait to be sent; counted up to 10001." },
  pointkeeper_mail_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the mail that has waited for the longest; 0: none waits.",
  },
  pointkeeper_receipts: { type: "gauge", help: "Receipts that are not done, by state; counted up to 10001." },
  pointkeeper_receipt_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest receipt that was not looked at; 0: there is none.",
  },
  pointkeeper_job_last_success_timestamp_seconds: { type: "gauge", help: "When a run of the job last succeeded." },
  pointkeeper_job_lag_seconds: { type: "gauge", help: "How long a run of the job has been due without having begun." },
  pointkeeper_job_failures_in_row: { type: "gauge", help: "Runs of the job that failed since it last succeeded." },
  pointkeeper_job_runs_total: { type: "counter", help: "Runs of the job, by outcome: failed, other." },
  pointkeeper_points_total: {
    type: "counter",
    help: "Points by movement: issued, spent, expired, refunded, returned; some seconds behind the ledger.",
  },
  pointkeeper_points_adjusted: { type: "gauge", help: "Sum of all adjustments by staff and imports; may be negative." },
  pointkeeper_points_outstanding: { type: "gauge", help: "Points that customers have." },
  pointkeeper_customers: { type: "gauge", help: "Customers at the last count." },
  // Present once backups and the self-check report their state, with one line each in `store-collectors.ts`.
  pointkeeper_backup_age_seconds: { type: "gauge", help: "Age of the newest complete backup." },
  pointkeeper_backup_last_success_timestamp_seconds: { type: "gauge", help: "When a backup last succeeded." },
  pointkeeper_backup_overdue: {
    type: "gauge",
    help: "1: by the schedule of this process no backup was made for twice its period, or ever; 0: one was.",
  },
  pointkeeper_backup_log_behind: {
    type: "gauge",
    help: "1: the log should be archived, and was not for ten minutes; 0: it is.",
  },
  pointkeeper_backup_log_behind_seconds: {
    type: "gauge",
    help: "Since the newest archived segment of the log was closed: a restore without this machine ends there.",
  },
  pointkeeper_backup_log_behind_bytes: {
    type: "gauge",
    help: "Bytes of log that the database has written and the archive does not have yet.",
  },
  pointkeeper_selfcheck_breaches: {
    type: "gauge",
    help: "What the last self-check of ledger, orders, tiers and settings found wrong; 0: all holds.",
  },
  pointkeeper_selfcheck_last_success_timestamp_seconds: {
    type: "gauge",
    help: "When a self-check of the ledger last came to its end without a breach.",
  },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

export type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric. */
export interface Sample {
  readonly family: FamilyName;
  readonly labels: Labels;
  readonly value: number;
  /** The name of the line, for a family with several kinds of lines, such as a histogram. */
  readonly line?: string;
}

export function sample(family: FamilyName, value: number | bigint | null | undefined, labels: Labels = {}): Sample[] {
  return value === null || value === undefined ? [] : [{ family, labels, value: Number(value) }];
}

/** Returns the lines of a histogram; none if nothing was observed. */
export function histogramSamples(family: FamilyName, histogram: Histogram, labels: Labels): Sample[] {
  let count = 0;
  const buckets = histogram.counts.map((own, i): Sample => {
    count += own;
    return { family, line: `${family}_bucket`, labels: { ...labels, le: histogram.bounds[i] ?? "+Inf" }, value: count };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { family, line: `${family}_sum`, labels, value: histogram.sum },
    { family, line: `${family}_count`, labels, value: count },
  ];
}
