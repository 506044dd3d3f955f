import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { Sale } from "./sale.ts";

/** In `sale_result` and `sale_reach`, stands for all tiers together. */
export const ALL_TIERS = "00000000-0000-0000-0000-000000000000";
const SLOT_NS = 900_000_000_000n;

export interface SlotSum {
  readonly slot: Temporal.Instant;
  readonly tierUid: string;
  readonly isGuest: boolean;
  orders: bigint;
  campaignOrders: bigint;
  revenue: bigint;
  points: bigint;
  awarded: bigint;
}

export interface CollectionSum {
  readonly collectionId: string;
  readonly slot: Temporal.Instant;
  orders: bigint;
  revenue: bigint;
}

export interface ResultSum {
  readonly run: string;
  readonly tierUid: string;
  orders: bigint;
  revenue: bigint;
  points: bigint;
  extra: bigint;
}

export interface ReachSum {
  readonly run: string;
  readonly tierUid: string;
  readonly customer: CustomerRef;
  orders: bigint;
}

export interface BuyerSum {
  readonly customer: CustomerRef;
  orders: bigint;
  revenue: bigint;
}

/** The totals of sales, or a change of these; every field may be negative. */
export interface SaleSums {
  readonly slots: readonly SlotSum[];
  readonly collections: readonly CollectionSum[];
  readonly results: readonly ResultSum[];
  readonly reach: readonly ReachSum[];
  readonly buyers: readonly BuyerSum[];
}

/** The start of the quarter-hour that an instant is in. */
export function slotOf(at: Temporal.Instant): Temporal.Instant {
  const ns = at.epochNanoseconds;
  const over = ((ns % SLOT_NS) + SLOT_NS) % SLOT_NS;
  return Temporal.Instant.fromEpochNanoseconds(ns - over);
}

/** Sums that are being added up, each under its key. */
interface OpenSums {
  readonly slots: Map<string, SlotSum>;
  readonly collections: Map<string, CollectionSum>;
  readonly results: Map<string, ResultSum>;
  readonly reach: Map<string, ReachSum>;
  readonly buyers: Map<string, BuyerSum>;
}

/** The change of the sums where sales change. Rows without a change are left out; each list is sorted by its keys. */
export function saleSumsBetween(
  changes: readonly { readonly before: Sale | null; readonly after: Sale | null }[],
): SaleSums {
  const open: OpenSums = {
    slots: new Map(),
    collections: new Map(),
    results: new Map(),
    reach: new Map(),
    buyers: new Map(),
  };
  for (const { before, after } of changes) {
    if (before !== null) addSale(open, before, -1n);
    if (after !== null) addSale(open, after, 1n);
  }
  return {
    slots: changed(open.slots),
    collections: changed(open.collections),
    results: changed(open.results),
    reach: changed(open.reach),
    buyers: sorted(open.buyers), // also with a change of zero, because the time of an order may have changed
  };
}

function addSale(open: OpenSums, sale: Sale, sign: bigint): void {
  const slot = slotOf(sale.at);
  addToSlot(open, sale, slot, sign);
  for (const { collectionId, revenue } of sale.collections) {
    const none = { collectionId, slot, orders: 0n, revenue: 0n };
    const row = rowOf(open.collections, `${slot} ${collectionId}`, none);
    row.orders += sign;
    row.revenue += sign * revenue;
  }
  for (const tierUid of [ALL_TIERS, sale.tierUid]) addToRuns(open, sale, tierUid, sign);
  if (sale.customer === null) return;
  const { customer } = sale;
  const buyer = rowOf(open.buyers, customer.customerUid, { customer, orders: 0n, revenue: 0n });
  buyer.orders += sign;
  buyer.revenue += sign * sale.revenue;
}

function addToSlot(open: OpenSums, sale: Sale, slot: Temporal.Instant, sign: bigint): void {
  const { tierUid, customer, revenue, points, awarded, runs } = sale;
  const isGuest = customer === null;
  const none = { slot, tierUid, isGuest, orders: 0n, campaignOrders: 0n, revenue: 0n, points: 0n, awarded: 0n };
  const row = rowOf(open.slots, `${slot} ${tierUid} ${isGuest}`, none);
  row.orders += sign;
  if (runs.some(({ run }) => run.startsWith("campaign/"))) row.campaignOrders += sign;
  row.revenue += sign * revenue;
  row.points += sign * points;
  row.awarded += sign * awarded;
}

function addToRuns(open: OpenSums, { customer, runs }: Sale, tierUid: string, sign: bigint): void {
  for (const { run, revenue, points, extra } of runs) {
    const key = `${run} ${tierUid}`;
    const row = rowOf(open.results, key, { run, tierUid, orders: 0n, revenue: 0n, points: 0n, extra: 0n });
    row.orders += sign;
    row.revenue += sign * revenue;
    row.points += sign * points;
    row.extra += sign * extra;
    if (customer === null) continue;
    rowOf(open.reach, `${key} ${customer.customerUid}`, { run, tierUid, customer, orders: 0n }).orders += sign;
  }
}

function rowOf<T>(rows: Map<string, T>, key: string, none: T): T {
  const found = rows.get(key) ?? none;
  rows.set(key, found);
  return found;
}

function changed<T extends object>(rows: ReadonlyMap<string, T>): readonly T[] {
  return sorted(rows).filter((row) => Object.values(row).some((v) => typeof v === "bigint" && v !== 0n));
}

function sorted<T>(rows: ReadonlyMap<string, T>): readonly T[] {
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
