import { backupStateOf } from "../../alerts/finding.ts";
import type { BackupState } from "../../backup/read-backup-state.ts";
import type { ReplicaState } from "../../db/reads.ts";
import type { DaySums } from "../../metrics/metric-queries.ts";
import { type CategoryPoints, categoryPoints, netPoints, redemptionRate } from "../../metrics/movement-category.ts";
import { datesBetween } from "../../metrics/store-days.ts";
import type { Program } from "../../program/program.ts";
import { formatInstant, localDate } from "../../time/store-time.ts";
import type { Period } from "./period.ts";
import type { Home } from "./read-home.ts";
import type { HomeData, HomeDay, HomeFlows } from "./schema.ts";

const MONTHS = 12;

/** The home page as it is sent. */
export function homeView(home: Home, replica: ReplicaState | null): HomeData {
  const { period, program, rollup, outstanding, opening } = home;
  const totals = categoryPoints(home.days);
  const totalsBefore = categoryPoints(home.daysBefore);
  return {
    from: period.from,
    to: period.to,
    before: period.before,
    time_zone: rollup.timeZone === "" ? program.store.timeZone : rollup.timeZone,
    as_of: rollup.allottedAt === null ? null : formatInstant(rollup.allottedAt),
    is_rebuilding: home.isRebuilding,
    outstanding: {
      points: Number(outstanding),
      before: Number(opening),
      worth_minor: Number(outstanding * program.coupons.pointWorth),
    },
    totals: flowsView(totals),
    totals_before: flowsView(totalsBefore),
    redemption_rate: redemptionRate(totals),
    redemption_rate_before: redemptionRate(totalsBefore),
    days: daysView(period, home.days, opening),
    days_before: daysView(period.before, home.daysBefore, home.openingBefore),
    campaigns: campaignsView(home),
    active: {
      days_30: Number(home.active.days30),
      days_90: Number(home.active.days90),
      days_365: Number(home.active.days365),
    },
    lapsing: lapsingView(home),
    customers: customersView(home),
    expiring: expiringView(home),
    health: healthView(home, replica),
    setup: setupView(home),
  };
}

/** The days of the period on which each campaign or bonus ran. One that ends at midnight does not run on the day that begins then. */
function campaignsView({ campaigns, period, program }: Home): HomeData["campaigns"] {
  const { timeZone } = program.store;
  return campaigns.flatMap(({ id, title, startsAt, endsAt }) => {
    if (startsAt === null) return [];
    const first = localDate(startsAt, timeZone);
    const last = endsAt === null ? period.to : localDate(endsAt.subtract({ microseconds: 1 }), timeZone);
    const [from, to] = [first < period.from ? period.from : first, last > period.to ? period.to : last];
    return [{ id, name: title, from, to }];
  });
}

function healthView({ health, backup, disk }: Home, replica: ReplicaState | null): HomeData["health"] {
  return {
    deliveries_failed: Number(health.deliveriesFailed),
    deliveries_retried: Number(health.deliveriesRetried),
    receivers_dead: health.receiversDead.length,
    jobs_troubled: health.jobsTroubled.length,
    receipts_failed: Number(health.receiptsFailed),
    receipts_waiting: Number(health.receiptsWaiting),
    approvals_waiting: Number(health.approvalsWaiting),
    orders_no_program: Number(health.ordersNoProgram),
    orders_other_currency: Number(health.ordersOtherCurrency),
    orders_no_customer: Number(health.ordersNoCustomer),
    orders_to_judge: Number(health.ordersToReview),
    backup: backupView(backup),
    disk: disk === null ? null : { state: disk.state, free_bytes: disk.freeBytes, free_files: disk.freeFiles },
    ledger_breaches: Number(health.ledgerBreaches),
    replica: replica === null ? null : replica.isUsed ? "used" : "unused",
  };
}

function backupView(backup: BackupState): HomeData["health"]["backup"] {
  const { isPlanned, lastDoneAt } = backup;
  if (!isPlanned) return null;
  return { state: backupStateOf(backup), last_at: lastDoneAt === null ? null : formatInstant(lastDoneAt) };
}

function setupView({ setup, steps, program }: Home): HomeData["setup"] {
  const { lastReceiptAt } = setup;
  return {
    has_program: setup.hasProgram,
    has_events: setup.hasEvents,
    has_customers: setup.hasCustomers,
    has_points: setup.hasPoints,
    steps: steps.map(({ step, isDone, isConfirmed }) => ({ step, is_done: isDone, is_confirmed: isConfirmed })),
    present: {
      currency: program.store.currency,
      time_zone: program.store.timeZone,
      point_value: Number(program.earning.rate.pointValue),
      currency_value: Number(program.earning.rate.currencyValue),
      tiers: program.tiers.rules.length,
      expiry_months: program.expiration.delayMonths,
      last_receipt_at: lastReceiptAt === null ? null : formatInstant(lastReceiptAt),
      owners: setup.owners,
    },
  };
}

function flowsView(points: CategoryPoints): HomeFlows {
  return {
    issued: Number(points.issued),
    spent: Number(points.spent),
    expired: Number(points.expired),
    refunded: Number(points.refunded),
    returned: Number(points.returned),
    adjusted: Number(points.adjusted),
  };
}

/** Every day of a period, including days without an allotment. */
function daysView(period: Pick<Period, "from" | "to">, days: readonly DaySums[], opening: bigint): HomeDay[] {
  const byDay = Map.groupBy(days, ({ day }: DaySums) => day);
  let outstanding = opening;
  return datesBetween(period.from, period.to).map((day) => {
    const points = categoryPoints(byDay.get(day) ?? []);
    outstanding += netPoints(points);
    return { day, ...flowsView(points), outstanding: Number(outstanding) };
  });
}

function lapsingView({ lapsing }: Home): HomeData["lapsing"] {
  return lapsing === null ? null : { customers: Number(lapsing.all), this_month: Number(lapsing.thisMonth) };
}

function customersView({ count, program }: Home): HomeData["customers"] {
  if (count === null) return null;
  return {
    count: Number(count.customers),
    counted_at: formatInstant(count.countedAt),
    tiers: program.tiers.rules.map((rule) => ({
      uid: rule.uid,
      name: rule.name,
      is_default: rule.isDefault,
      customers: rule.isDefault ? membersOfDefaultTier(count.tiers, program) : (count.tiers[rule.uid] ?? 0),
    })),
  };
}

/** A customer without a tier, with a deleted one, or with the default one is in the default tier. */
function membersOfDefaultTier(tierMembers: Readonly<Record<string, number>>, { tiers }: Program): number {
  const others = new Set(tiers.rules.filter(({ isDefault }) => !isDefault).map(({ uid }) => uid));
  return Object.entries(tierMembers).reduce((sum, [uid, customers]) => sum + (others.has(uid) ? 0 : customers), 0);
}

function expiringView({ expiring: { isComplete, firstMonth, months } }: Home): HomeData["expiring"] {
  const pointsOf = new Map(months.map(({ month, points }) => [month, points]));
  return {
    is_complete: isComplete,
    months: Array.from({ length: MONTHS }, (_, n) => ({
      month: monthText(firstMonth + n),
      points: Number(pointsOf.get(firstMonth + n) ?? 0n),
    })),
  };
}

/** Formats a month of `monthIndex` as `2026-04`. */
function monthText(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
}
