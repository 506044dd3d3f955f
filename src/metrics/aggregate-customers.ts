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
/** The allotments that a step of the walk adds to sums: after an upgrade, customers may have thousands each. */
const SUMMED_MAX = 50_000n;
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
  const page = await selectWalkPage(tx, { bucket: walkBucket, customerUid: walkUid }, size);
  await refreshCustomers(tx, page, { rules, isWalk: true });
  const last = await addSums(tx, page);
  if (last === undefined || (last === page.at(-1) && page.length < size)) {
    const summedAt = state.walkFrom; // each customer was summed later, with all that was allotted before, or is read by key
    return { ...state, isComplete: true, walkBucket: null, walkUid: null, walkedAt: now, summedAt };
  }
  return { ...state, walkBucket: last.bucket, walkUid: last.customerUid };
}

/**
 * Adds what is missing to the sums of a page of the walk, up to `SUMMED_MAX` allotments; of a customer who has more, the first of them. Returns the last
 * customer that was processed.
 */
async function addSums(tx: Tx, page: readonly WalkedBalance[]): Promise<WalkedBalance | undefined> {
  const summed = page.length === 0 ? new Map<string, bigint>() : await selectSummed(tx, page);
  const unsummed = page.map((each) => {
    const from = summed.get(each.customerUid) ?? each.version; // no row, no sums
    return { ...each, from, to: each.version - from > SUMMED_MAX ? from + SUMMED_MAX : each.version };
  });
  let count = 0n;
  const end = unsummed.findIndex(({ from, to }, n) => {
    count += to - from;
    return n > 0 && count > SUMMED_MAX;
  });
  const done = end === -1 ? unsummed : unsummed.slice(0, end);
  await addToCustomerSums(
    tx,
    done.filter(({ from, to }) => to > from),
  );
  return page[done.length - 1];
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
