import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { ExpiryRules } from "../ledger/expiry/expiry.ts";
import { readProgram } from "../program/read-program.ts";
import { type AggregateDeps, type AggregateOptions, type AggregateStep, aggregateSteps } from "./aggregate-steps.ts";
import {
  type CustomerMetrics,
  changeBetween,
  expiringText,
  metricsOf,
  NO_METRICS,
  needsWalk,
  rulesText,
} from "./customer-metrics.ts";
import {
  addToSums,
  lockMetricsState,
  type MetricsState,
  saveLargeBalances,
  selectBalances,
  selectChanged,
  selectCustomerMetrics,
  selectLargeDue,
  selectWalkPage,
  updateMetricsState,
  type WalkedBalance,
  writeCustomerMetrics,
} from "./customer-queries.ts";
import { selectRange } from "./range-queries.ts";
import { endOfInstant, START } from "./rollup.ts";
import { addToCustomerSums, selectSummed } from "./sum-queries.ts";

/** Per transaction: the allotments whose customers are recalculated, and the same number of balances of the walk. */
const SIZE = { quiet: 2_000, busy: 250 };
const STEPS = 50;
const LARGE_ROWS = 10;
/** How many allotments a step of the walk adds to sums for each balance that it may read: after an upgrade, customers may have thousands each. */
const SUMMED_A_BALANCE = 25n;
const BEFORE_FIRST: CustomerRef = { bucket: -1, customerUid: START.allotmentUid };

/**
 * Recalculates the metrics of balances that changed since the last run, up to the settled mark, and updates the sums of active customers and
 * expected expiries by the difference. Only the present balance counts, so recalculating it twice changes nothing. The cost of a balance
 * grows with its lots, so a large one is recalculated only after a pause of that length. When the expiry settings change, and once a day
 * in any case, a walk visits all balances: it finds dates that changed without an allotment (a merge of an empty balance, the late end of
 * a hold), and adds what was allotted since the last walk to the customers' sums. Returns whether the mark was reached and no walk is unfinished.
 */
export function aggregateCustomers(deps: AggregateDeps, options: AggregateOptions = {}): Promise<boolean> {
  return aggregateSteps(deps, { size: SIZE, steps: STEPS, ...options }, aggregateStep);
}

/** Reads the program while it holds the lock: writers that used older settings have committed, and the walk visits their balances later. */
async function aggregateStep(tx: Tx, step: AggregateStep): Promise<boolean> {
  const locked = await lockMetricsState(tx);
  const { expiration, store } = await readProgram(tx);
  const rules = { ...expiration, timeZone: store.timeZone };
  const begun = begin(locked, rules, step);
  const walked = await walk(tx, begun, rules, step);
  const range = await selectRange(tx, walked, step);
  const changed = range === null ? [] : await selectChanged(tx, range);
  const due = await selectLargeDue(tx, LARGE_ROWS);
  const customers = new Map([...changed, ...due].map((customer) => [customer.customerUid, customer]));
  await refreshCustomers(tx, [...customers.values()], { rules, isWalk: false });
  await updateMetricsState(tx, { ...walked, ...(range?.to ?? endOfInstant(step.settledAt)) });
  return (range?.isLast ?? true) && walked.walkBucket === null;
}

/** A walk reads the present balances, which include everything before the mark, so the bookmark moves to the mark. */
function begin(state: MetricsState, rules: ExpiryRules, { settledAt, now }: AggregateStep): MetricsState {
  const text = rulesText(rules);
  if (!needsWalk({ ...state, isWalking: state.walkBucket !== null }, text, now)) return state;
  return {
    ...state,
    ...endOfInstant(settledAt),
    rules: text,
    isComplete: state.isComplete && state.rules === text,
    walkBucket: BEFORE_FIRST.bucket,
    walkUid: BEFORE_FIRST.customerUid,
    walkFrom: settledAt,
  };
}

async function walk(
  tx: Tx,
  state: MetricsState,
  rules: ExpiryRules,
  { size, now }: AggregateStep,
): Promise<MetricsState> {
  const { walkBucket, walkUid } = state;
  if (walkBucket === null || walkUid === null) return state;
  const most = SUMMED_A_BALANCE * BigInt(size);
  const found = await selectWalkPage(tx, { bucket: walkBucket, customerUid: walkUid }, size);
  const summed = await selectSummed(tx, found);
  const page = found.slice(0, countWithin(found, summed, most));
  await refreshCustomers(tx, page, { rules, isWalk: true });
  await addSums(tx, page, { summed, most });
  const last = page.at(-1);
  if (last === undefined || (page.length === found.length && found.length < size)) {
    const summedAt = state.walkFrom; // each customer was summed later, with all that was allotted before, or is read by key
    return { ...state, isComplete: true, walkBucket: null, walkUid: null, walkedAt: now, summedAt };
  }
  return { ...state, walkBucket: last.bucket, walkUid: last.customerUid };
}

/** Returns how many of the first balances of a page have at most so many allotments that are not in sums yet; at least one. */
function countWithin(page: readonly WalkedBalance[], summed: ReadonlyMap<string, bigint>, most: bigint): number {
  let missing = 0n;
  const end = page.findIndex(({ customerUid, version }, n) => {
    missing += version - (summed.get(customerUid) ?? 0n);
    return n > 0 && missing > most;
  });
  return end === -1 ? page.length : end;
}

/** Adds what is missing to the customers' sums; of a customer who lacks more than `most` allotments, the first of them. */
async function addSums(
  tx: Tx,
  page: readonly WalkedBalance[],
  { summed, most }: { readonly summed: ReadonlyMap<string, bigint>; readonly most: bigint },
): Promise<void> {
  const rowless = page.filter(({ customerUid }) => !summed.has(customerUid));
  const added = await selectSummed(tx, rowless); // those whose row was made by this step
  const unsummed = page.flatMap((each) => {
    const from = summed.get(each.customerUid) ?? added.get(each.customerUid);
    if (from === undefined || from >= each.version) return [];
    return [{ ...each, from, to: each.version - from > most ? from + most : each.version }];
  });
  await addToCustomerSums(tx, unsummed);
}

/**
 * Replaces the customers' stored metrics by those of their present balances and updates the sums. The caller has locked the state. Outside a walk the
 * points of an unchanged class stay: each award would write them into an index.
 */
async function refreshCustomers(
  tx: Tx,
  customers: readonly CustomerRef[],
  { rules, isWalk }: { readonly rules: ExpiryRules; readonly isWalk: boolean },
): Promise<void> {
  if (customers.length === 0) return;
  const isSliding = rules.mode === "sliding";
  const [balances, counted] = await Promise.all([
    selectBalances(tx, customers, { isSliding }),
    selectCustomerMetrics(tx, customers),
  ]);
  await saveLargeBalances(tx, customers, balances);
  const changes = customers.flatMap((customer) => {
    const balance = balances.get(customer.customerUid);
    const before = counted.get(customer.customerUid) ?? NO_METRICS;
    const found = balance === undefined ? NO_METRICS : metricsOf(balance, rules);
    const staysInClass = !isWalk && found.pointsClass === before.pointsClass;
    const metrics = staysInClass ? { ...found, classPoints: before.classPoints } : found;
    return isSame(before, metrics) ? [] : [{ customer, before, metrics }];
  });
  if (changes.length === 0) return;
  await writeCustomerMetrics(tx, changes);
  await addToSums(tx, changeBetween(changes.map(({ before, metrics }) => [before, metrics])));
}

function isSame(a: CustomerMetrics, b: CustomerMetrics): boolean {
  return (
    a.activeOn === b.activeOn &&
    a.pointsClass === b.pointsClass &&
    a.classPoints === b.classPoints &&
    expiringText(a.expiring) === expiringText(b.expiring)
  );
}
