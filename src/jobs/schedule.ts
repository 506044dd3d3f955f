import { exportLedger } from "../admin/ledger/export-ledger.ts";
import { logDiskRoom } from "../alerts/log-disk-room.ts";
import { watchAlerts } from "../alerts/watch-alerts.ts";
import { backUpScheduled } from "../backup/back-up-scheduled.ts";
import { nextBackupAt } from "../backup/next-backup-at.ts";
import { pruneBackups } from "../backup/prune-backups.ts";
import { shipLog } from "../backup/ship-log.ts";
import { checkSlice } from "../checkpoints/check-slice.ts";
import { runCheckpoints } from "../checkpoints/run-checkpoints.ts";
import { expireCoupons } from "../coupons/expire-coupons.ts";
import { nextCouponDueAt } from "../coupons/next-coupon-due-at.ts";
import { pruneRequests } from "../credentials/prune-requests.ts";
import { recordAuthFailures } from "../credentials/record-auth-failures.ts";
import type { Deps } from "../deps.ts";
import { exportUrl } from "../exports/export-url.ts";
import { pruneExports } from "../exports/prune-exports.ts";
import { runExports } from "../exports/run-exports.ts";
import { aggregateCustomerPoints } from "../growth/aggregate-customer-points.ts";
import { aggregateGrowth } from "../growth/aggregate-growth.ts";
import { pruneIdempotency } from "../http/idempotency/prune-idempotency.ts";
import { pruneImports } from "../imports/prune-imports.ts";
import { runImports } from "../imports/run-imports.ts";
import { mergeClaimedMembers } from "../intake/merge-claimed-members.ts";
import { nextReceiptDueAt } from "../intake/next-receipt-due-at.ts";
import { processAllReceipts } from "../intake/process-all-receipts.ts";
import { pruneReceipts } from "../intake/prune-receipts.ts";
import { runReceipts } from "../intake/run-receipts.ts";
import { linkChains } from "../ledger/chain/link-chains.ts";
import { expirePoints } from "../ledger/expiry/expire-points.ts";
import { nextExpiryAt } from "../ledger/expiry/next-expiry-at.ts";
import { readSettledMark } from "../ledger/settled-mark/read-settled-mark.ts";
import { rewindSettledMark } from "../ledger/settled-mark/rewind-settled-mark.ts";
import { aggregateLiability } from "../liability/aggregate-liability.ts";
import { pruneMails } from "../mail/prune-mails.ts";
import { runMails } from "../mail/run-mails.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { aggregateCustomers } from "../metrics/aggregate-customers.ts";
import { aggregateMetrics } from "../metrics/aggregate-metrics.ts";
import { countStoreCustomers } from "../metrics/count-store-customers.ts";
import { renewCustomerCount } from "../metrics/renew-customer-count.ts";
import { runMoves } from "../moving-in/run-moves.ts";
import { assignWaitingOrders } from "../orders/assign-waiting-orders.ts";
import { awardPendingOrders } from "../orders/award-pending-orders.ts";
import { logWaitingOrders } from "../orders/log-waiting-orders.ts";
import { nextAwardDueAt } from "../orders/next-award-due-at.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { nextReviewAt } from "../orders/review/next-review-at.ts";
import { reviewOrders } from "../orders/review/review-orders.ts";
import { nextCodeExpiryAt } from "../platform-sync/next-code-expiry-at.ts";
import { reconcilePlatform } from "../platform-sync/reconcile-platform.ts";
import { resolveCoupons } from "../platform-sync/resolve-coupons.ts";
import { syncPlatform } from "../platform-sync/shopify/sync-platform.ts";
import { platformCan } from "../platforms/index.ts";
import { advanceBookmarks } from "../points/allotments/advance-bookmarks.ts";
import { nextReservationDueAt } from "../points/reservations/next-reservation-due-at.ts";
import { releaseDueReservations } from "../points/reservations/release-due-reservations.ts";
import { countReportedMonth } from "../reports/count-reported-month.ts";
import { runReports } from "../reports/run-reports.ts";
import { nextBirthdayRunAt } from "../rewards/next-birthday-run-at.ts";
import { rewardBirthdays } from "../rewards/reward-birthdays.ts";
import { aggregateSales } from "../sales/aggregate-sales.ts";
import type { DueWork } from "../sandbox/due-work.ts";
import { countSegments } from "../segments/count-segments.ts";
import { pruneSessions } from "../staff/sessions/prune-sessions.ts";
import { recordRefusalRests } from "../staff/sign-in/record-refusal-rests.ts";
import { evaluateTiers } from "../tiers/evaluate-tiers.ts";
import { nextTierCheckAt } from "../tiers/next-tier-check-at.ts";
import { TIER_CHECKS } from "../tiers/tier-checks.ts";
import { tierWorkAt } from "../tiers/tier-work-at.ts";
import { nextDueAt } from "../webhooks/delivery/next-due-at.ts";
import { runDeliveries } from "../webhooks/delivery/run-deliveries.ts";
import { pruneWebhookLog } from "../webhooks/prune-webhook-log.ts";
import type { JobName } from "../wire/job-names.ts";
import { type Job, NEVER_RAN, type StoreTiming } from "./job.ts";
import { rewindJob, selectJobStates } from "./job-queries.ts";
import { nextDayAt } from "./next-day-at.ts";
import { runJob } from "./run-job.ts";
import { runJobs } from "./run-jobs.ts";
import type { Loop, LoopContext, PeriodicTask } from "./worker.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** The time limit of one re-evaluation of orders, so that a stop need not wait long. */
const REVIEW_MS = 2 * SECOND_MS;

/** Scheduled work: one node does each run, and `pointkeeper jobs` shows the newest. Jobs that are due at the same time run in this order. */
export const JOBS: readonly (Job & { readonly name: JobName })[] = [
  {
    name: "expire points",
    timing: { by: "store", nextAt: nextDayAt, workAt: (deps) => nextExpiryAt(deps.db) },
    run: (deps, signal) => expirePoints(deps, { signal }),
  },
  {
    name: "designate tiers",
    timing: { by: "store", nextAt: (deps) => nextTierCheckAt(deps.db), workAt: (deps) => tierWorkAt(deps.db) },
    run: (deps, signal) => evaluateTiers(deps, { signal }),
  },
  {
    name: "reward birthdays",
    timing: { by: "store", nextAt: (deps) => nextBirthdayRunAt(deps.db), workAt: (deps) => nextBirthdayRunAt(deps.db) },
    run: (deps, signal) => rewardBirthdays(deps, { signal }),
  },
  {
    name: "reconcile with the platform",
    timing: {
      by: "store",
      nextAt: async (deps, doneAt) =>
        platformCan(deps.config.platforms, "reconcile") ? nextDayAt(deps, doneAt) : null,
      workAt: async (deps) => (platformCan(deps.config.platforms, "reconcile") ? deps.clock.now() : null),
    },
    run: (deps, signal) => reconcilePlatform(deps, { signal }),
  },
  {
    name: "back up",
    timing: {
      by: "store",
      nextAt: nextBackupAt,
      workAt: async () => null, // the sandbox clock has no effect on the machine's disks
    },
    run: backUpScheduled,
  },
  { name: "prune backups", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneBackups },
  { name: "prune idempotency", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneIdempotency },
  { name: "prune receipts", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneReceipts },
  { name: "prune imports", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneImports },
  { name: "prune exports", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneExports },
  { name: "prune webhook log", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneWebhookLog },
  { name: "prune mails", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneMails },
  { name: "queue messages to customers", timing: { by: "machine", everyMs: 60 * SECOND_MS }, run: sendMessages },
  { name: "prune request log", timing: { by: "machine", everyMs: HOUR_MS }, run: pruneRequests },
  { name: "count the month of a report", timing: { by: "machine", everyMs: 60 * SECOND_MS }, run: countReportedMonth },
  {
    name: "make reports",
    timing: { by: "machine", everyMs: 60 * SECOND_MS },
    run: (deps, signal) =>
      runReports(deps, {
        signal,
        sources: { ledger: async (from, period) => (await exportLedger(from, period)).pieces },
      }),
  },
  { name: "watch for alerts", timing: { by: "machine", everyMs: 60 * SECOND_MS }, run: watchAlerts },
  { name: "count customers", timing: { by: "machine", everyMs: 10 * 60 * SECOND_MS }, run: countStoreCustomers },
];

/** What a node of role `all` or `worker` does continuously. */
export const LOOPS: readonly Loop[] = [
  {
    name: "receipts",
    run: (deps, { signal, wakes }) => runReceipts(deps, { signal, onWake: listen(wakes, "receipts") }),
  },
  { name: "exports", run: (deps, { signal, wakes }) => runExports(deps, { signal, onWake: listen(wakes, "exports") }) },
  { name: "imports", run: (deps, { signal }) => runImports(deps, { signal }) },
  { name: "files of other apps", run: (deps, { signal }) => runMoves(deps, { signal }) },
  {
    name: "deliveries",
    run: (deps, { signal, wakes }) =>
      runDeliveries(deps, { signal, onWake: listen(wakes, "deliveries"), exportUrl: (uid) => exportUrl(deps, uid) }),
  },
  { name: "mails", run: (deps, { signal, wakes }) => runMails(deps, { signal, onWake: listen(wakes, "mails") }) },
  { name: "jobs", run: (deps, { signal }) => runJobs(deps, JOBS, signal) },
];

/** What every such node does at intervals. */
export const PERIODIC_TASKS: readonly PeriodicTask[] = [
  { name: "pending awards", everyMs: SECOND_MS, run: awardPendingOrders },
  { name: "order re-evaluations", everyMs: SECOND_MS, run: (deps) => reviewOrders(deps, overIn(REVIEW_MS)) },
  { name: "orders without a program", everyMs: 60 * SECOND_MS, run: logWaitingOrders },
  { name: "guest orders of known customers", everyMs: 10 * SECOND_MS, run: (deps) => assignWaitingOrders(deps) },
  { name: "merges of imported members", everyMs: SECOND_MS, run: mergeClaimedMembers },
  { name: "expiring coupons", everyMs: 10 * SECOND_MS, run: expireCoupons },
  { name: "expiring reservations", everyMs: 5 * SECOND_MS, run: releaseDueReservations },
  { name: "coupon codes at the platform", everyMs: 5 * SECOND_MS, run: resolveCoupons },
  { name: "platform sync", everyMs: 5 * SECOND_MS, run: syncPlatform },
  { name: "failed authentications by hour", everyMs: 60 * SECOND_MS, run: recordAuthFailures },
  { name: "refused sign-ins by hour", everyMs: 60 * SECOND_MS, run: recordRefusalRests },
  { name: "expired sessions", everyMs: HOUR_MS, run: pruneSessions },
  { name: "room on the disk", everyMs: 10 * 60 * SECOND_MS, run: logDiskRoom },
  { name: "archived log", everyMs: 5 * SECOND_MS, run: shipLog },
  { name: "settled mark", everyMs: SECOND_MS, run: readSettledMark },
  { name: "bookmarks", everyMs: 5 * SECOND_MS, run: advanceBookmarks },
  { name: "hash chains", everyMs: 60 * SECOND_MS, run: (deps) => linkChains(deps) },
  { name: "checkpoints", everyMs: 5 * SECOND_MS, run: runCheckpoints },
  { name: "self-check", everyMs: 60 * SECOND_MS, run: (deps) => checkSlice(deps, [...ORDER_CHECKS, ...TIER_CHECKS]) },
  { name: "customer count", everyMs: 10 * SECOND_MS, run: renewCustomerCount },
  { name: "figures by day", everyMs: 5 * SECOND_MS, run: (deps) => aggregateMetrics(deps) },
  { name: "figures of customers", everyMs: 5 * SECOND_MS, run: (deps) => aggregateCustomers(deps) },
  { name: "liability by month", everyMs: 5 * SECOND_MS, run: (deps) => aggregateLiability(deps) },
  { name: "lists of segments", everyMs: 2 * SECOND_MS, run: (deps) => countSegments(deps) },
  { name: "figures of orders", everyMs: 5 * SECOND_MS, run: (deps) => aggregateSales(deps) },
  { name: "growth of customers", everyMs: 5 * SECOND_MS, run: (deps) => aggregateGrowth(deps) },
  { name: "points and benefits of customers", everyMs: 5 * SECOND_MS, run: (deps) => aggregateCustomerPoints(deps) },
];

/**
 * Returns the work that falls due by the business clock, in the order in which it is done at the same instant. The sandbox clock stops at each such
 * time.
 */
export function dueWorkOf(deps: Deps): readonly DueWork[] {
  return [
    { name: "receipts", nextDueAt: () => nextReceiptDueAt(deps), run: () => processAllReceipts(deps) },
    {
      name: "expiring coupons",
      nextDueAt: () => nextCouponDueAt(deps),
      run: async () => void (await expireCoupons(deps)),
    },
    {
      name: "expiring reservations",
      nextDueAt: () => nextReservationDueAt(deps.db),
      run: async () => void (await releaseDueReservations(deps)),
    },
    {
      name: "coupon codes at the platform",
      nextDueAt: () => nextCodeExpiryAt(deps),
      run: async () => void (await resolveCoupons(deps)),
    },
    {
      name: "pending awards",
      nextDueAt: () => nextAwardDueAt(deps.db),
      run: async () => void (await awardPendingOrders(deps)),
    },
    {
      name: "order re-evaluations",
      nextDueAt: () => nextReviewAt(deps),
      run: async () => void (await reviewOrders(deps)),
    },
    ...JOBS.flatMap((job) => jobWork(deps, job)),
    { name: "deliveries", nextDueAt: () => nextDueAt(deps.db), run: async () => deps.wake.deliveries() },
    {
      name: "settled mark",
      nextDueAt: async () => null, // the mark advances by itself
      run: async () => void (await readSettledMark(deps)),
      rewind: (to) => rewindSettledMark(deps.db, to),
    },
  ];
}

/** The sandbox clock does not stop for jobs that run by the machine's clock. */
function jobWork(deps: Deps, { timing, ...job }: Job): DueWork[] {
  if (timing.by === "machine") return [];
  const stored = { ...job, timing };
  return [
    {
      name: job.name,
      nextDueAt: () => nextJobDueAt(deps, stored),
      run: async () => void (await runJob(deps, stored)),
      rewind: (to) => rewindJob(deps.db, job.name, to),
    },
  ];
}

function overIn(ms: number): () => boolean {
  const endsAt = performance.now() + ms;
  return () => performance.now() >= endsAt;
}

function listen<Kind extends keyof Deps["wake"]>(wakes: LoopContext["wakes"], kind: Kind) {
  return (listener: Deps["wake"][Kind]) => wakes.on(kind, listener);
}

/** Returns when the sandbox clock next has to stop for a job: the first scheduled time at which there is work; null: never. */
async function nextJobDueAt(
  deps: Deps,
  { name, timing }: Job & { readonly timing: StoreTiming },
): Promise<Temporal.Instant | null> {
  const { doneAt } = (await selectJobStates(deps.db)).get(name) ?? NEVER_RAN;
  const [scheduledAt, workAt] = await Promise.all([timing.nextAt(deps, doneAt), timing.workAt(deps)]);
  if (scheduledAt === null || workAt === null) return null;
  return Temporal.Instant.compare(scheduledAt, workAt) >= 0 ? scheduledAt : workAt;
}
