import type { CustomerRow } from "../customers/customer.ts";
import { isEmptied } from "../customers/profile/update-causes.ts";
import type { Tx } from "../db/pool.ts";
import { type LockedBalance, lockLiveBalances } from "../ledger/balance-queries.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { LOCK_PROGRAM_SHARED } from "../program/program-queries.ts";
import { readProgramsValidAt } from "../program/read-programs-valid-at.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import { selectOwnCodes } from "./coupons/coupon-use-queries.ts";
import { processedAt } from "./facts/order-facts.ts";
import { selectPostingsOf } from "./order-queries.ts";
import { insertOrders, insertPostings, saveSpends, updateOrders } from "./order-write-queries.ts";
import type { OrderRules, ProductFacts } from "./plan/order-rules.ts";
import { orderState, rowsToStore, settledRow, unpinnedProducts } from "./plan/order-state.ts";
import { type OrderPlan, planOrderPostings } from "./plan/plan-order-postings.ts";
import { cappedInTurn, ledgerPosting } from "./plan/posting-result.ts";
import { selectProducts } from "./products/select-products.ts";
import { readOrderRules } from "./read-order-rules.ts";
import { settleOutcomes } from "./settle-outcomes.ts";
import {
  type CappedPosting,
  type OrderPostingRow,
  pointsOnOtherCustomers,
  type StoreOrder,
  snapshotName,
} from "./store-order.ts";

/** An order with its newest facts, locked or new, and its customer, who is not deleted. */
export interface OwnedOrder {
  readonly order: StoreOrder;
  readonly isNew: boolean;
  readonly customer: CustomerRow;
}

/** The data of orders that is read once the balances of their customers are locked. */
interface ReadOrders {
  readonly balances: readonly LockedBalance[];
  /** By order id. */
  readonly rules: ReadonlyMap<string, OrderRules>;
  readonly rows: ReadonlyMap<string, readonly OrderPostingRow[]>;
  readonly products: ReadonlyMap<string, ProductFacts>;
  /** In lower case. */
  readonly ownCodes: ReadonlySet<string>;
}

/** An order with its planned postings. */
interface PlannedOrder extends OwnedOrder {
  readonly plan: OrderPlan;
  /** Its earlier postings. */
  readonly rows: readonly OrderPostingRow[];
  readonly capped: readonly CappedPosting[];
}

/**
 * Makes the points of several orders equal to what their facts award now, like `postOrder`, with a fixed number of statements for any
 * number of orders. The balances are locked before the rules are read, so that the rules need not be checked again. Returns the ids of the
 * orders that were posted. Nothing is written for the others: they have a coupon of this service, points on another customer, a lost
 * posting, an award that depends on the result of a claw-back, or a later award that may make an emptied balance active.
 */
export async function postOrders(
  tx: Tx,
  deps: PostingDeps,
  orders: readonly OwnedOrder[],
): Promise<ReadonlySet<string>> {
  if (orders.length === 0) return new Set();
  const read = await lockAndRead(tx, orders);
  const now = deps.clock.now();
  const planned = orders.flatMap((owned) => plannedOrder(owned, read, now) ?? []);
  const fresh = await post(tx, deps, planned, read.balances);
  await storeOrders(tx, planned, fresh);
  return new Set(planned.map(({ order }) => order.orderId));
}

async function lockAndRead(tx: Tx, orders: readonly OwnedOrder[]): Promise<ReadOrders> {
  const unruled = orders.filter(
    ({ order, customer }) => order.rules === null || order.rulesFor !== rulesName(order, customer),
  );
  const known = orders.flatMap(({ order, isNew }) => (isNew ? [] : [order.orderId]));
  const codes = orders.flatMap(({ order }) => order.facts.codes.map(({ code }) => code));
  // Sent together and run in this order; each sees what the locks before it protect.
  const [, , balances, programs, rows, products, ownCodes] = await Promise.all([
    unruled.length > 0 && tx.execute(LOCK_PROGRAM_SHARED),
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(
      tx,
      orders.map(({ customer }) => customer),
    ),
    readProgramsValidAt(
      tx,
      unruled.map(({ order }) => instantOf(order)),
    ),
    selectPostingsOf(tx, known),
    selectProducts(tx, [...new Set(orders.flatMap(({ order }) => unpinnedProducts(order)))]),
    selectOwnCodes(tx, codes),
  ]);
  const inputs = unruled.flatMap(({ order, customer }, i) => {
    const program = programs[i];
    const { receivedAt, facts } = order;
    return program === undefined
      ? []
      : [{ program, customer, instant: instantOf(order), namedId: facts.stated.customerId, receivedAt }];
  });
  const found = await readOrderRules(tx, inputs);
  const rules = new Map(
    unruled.flatMap(({ order }, i) => {
      const one = found[i];
      return one === undefined
        ? []
        : [[order.orderId, { ...one, products: order.rules?.products ?? one.products }] as const];
    }),
  );
  return { balances, rules, rows, products, ownCodes };
}

function instantOf(order: StoreOrder): Temporal.Instant {
  return processedAt(order.facts) ?? order.receivedAt;
}

function rulesName(order: StoreOrder, customer: CustomerRow): string {
  return snapshotName(customer, instantOf(order));
}

/** Returns an order with its planned postings; undefined: it needs more than the set provides. */
function plannedOrder(owned: OwnedOrder, read: ReadOrders, now: Temporal.Instant): PlannedOrder | undefined {
  const { order, customer } = owned;
  const { orderId, facts } = order;
  const rows = read.rows.get(orderId) ?? [];
  if (facts.codes.some(({ code }) => read.ownCodes.has(code))) return undefined;
  if (rows.some(({ result }) => result === "duplicate") || pointsOnOtherCustomers(rows, customer).length > 0)
    return undefined;
  const rules = read.rules.get(orderId) ?? order.rules;
  if (rules === null) throw new Error(`order ${orderId} has no rules`);
  const plan = planOrderPostings({ facts, rules, products: read.products, alreadyPosted: rows, coupons: [], now });
  if (plan.pendingUntil !== null && hasEmptied(read.balances, customer)) return undefined;
  const receiver = { bucket: customer.bucket, customerUid: customer.customerUid };
  const assigned = plan.postings.map((planned) => ({ planned, customer: receiver, returned: null }));
  const capped = cappedInTurn(assigned, rows);
  if (capped === undefined) return undefined;
  const state = { ...order, customer: receiver, rules: plan.rules, rulesFor: rulesName(order, customer) };
  return { ...owned, order: state, plan, rows, capped };
}

function hasEmptied(balances: readonly LockedBalance[], { customerUid }: CustomerRow): boolean {
  return balances.some((balance) => balance.customerUid === customerUid && isEmptied(balance));
}

/** Posts everything that the orders request, together. Returns the rows to store, by order. */
async function post(
  tx: Tx,
  deps: PostingDeps,
  orders: readonly PlannedOrder[],
  balances: readonly LockedBalance[],
): Promise<readonly (readonly OrderPostingRow[])[]> {
  const sent = orders.flatMap(({ order, rows, capped }) =>
    capped
      .filter((one) => one.cappedPoints !== 0n)
      .map((one) => ({
        one,
        customer: one.customer,
        posting: ledgerPosting(one, order, { uid: deps.random.uid(), rows }),
      })),
  );
  const outcomes = await postAllotments(tx, deps, sent, balances);
  const outcomeOf = new Map(sent.map(({ one }, i) => [one, outcomes[i]]));
  const fresh: (readonly OrderPostingRow[])[] = [];
  for (const { order, plan, capped } of orders) {
    const own = new Map(capped.map((one) => [one.planned.key, outcomeOf.get(one)]));
    const rows = await settleOutcomes(tx, deps, { orderId: order.orderId, postings: capped }, own);
    fresh.push([...rows, ...plan.settled.map(settledRow)]);
  }
  return fresh;
}

async function storeOrders(
  tx: Tx,
  orders: readonly PlannedOrder[],
  fresh: readonly (readonly OrderPostingRow[])[],
): Promise<void> {
  const states = orders.map(({ order, isNew, plan, rows }, i) => {
    const all = [...rows, ...(fresh[i] ?? [])];
    return { isNew, ...orderState(order, { plan, receiver: order.customer, uses: [], rows: all }) };
  });
  const updates = Map.groupBy(states, ({ isNew }) => isNew);
  const updatesOf = (isNew: boolean) => (updates.get(isNew) ?? []).map(({ update }) => update);
  const postings = orders.flatMap(({ order, plan, rows }, i) =>
    rowsToStore(order.orderId, plan, { before: rows, rows: fresh[i] ?? [] }),
  );
  await Promise.all([
    insertPostings(tx, postings),
    insertOrders(tx, updatesOf(true)),
    updateOrders(tx, updatesOf(false)),
    saveSpends(
      tx,
      states.flatMap(({ isNew, spend }) => (isNew && spend.spend === null ? [] : [spend])),
    ),
  ]);
}
