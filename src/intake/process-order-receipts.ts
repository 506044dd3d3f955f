import { type CustomerPatch, patchOfFacts } from "../customers/customer.ts";
import { findRestated, type RestatedCustomer } from "../customers/find-restated.ts";
import { upsertCustomers } from "../customers/upsert-customers.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { OrderSubjectEvent } from "../orders/apply-order-event.ts";
import { applyOrderEvents } from "../orders/apply-order-events.ts";
import { isOrderStatement } from "../orders/facts/merge-facts.ts";
import { selectWaitingEmails } from "../orders/order-queries.ts";
import type { CustomerUpserted, NeutralEvent } from "../platforms/neutral-events.ts";
import { readProgram } from "../program/read-program.ts";
import { readDueRewards } from "../rewards/read-due-rewards.ts";
import { lockOrders } from "./lock-orders.ts";
import { DONE, ORDER_UNKNOWN, type Receipt, translateReceipt } from "./receipt.ts";
import { finishReceipts, lockNextReceipts, type NextReceipts, wakeWaiting } from "./receipt-queries.ts";

/** The results for the oldest due receipts of some orders. */
export interface ProcessedOrders {
  readonly processed: readonly string[];
  /** Subjects that another worker has. */
  readonly busy: readonly string[];
  /** Subjects whose receipt has to be processed singly (`processNextReceipt`): nothing of it was written. */
  readonly alone: readonly string[];
}

interface OrderReceipt {
  readonly receipt: Pick<Receipt, "key" | "subject">;
  readonly event: OrderSubjectEvent;
  /** What it states about the order's customer. */
  readonly profile: CustomerUpserted | null;
}

/** A receipt that changes no customer. */
interface OwnedReceipt extends OrderReceipt {
  /** The customer whose stored data it repeats; null: it states none. */
  readonly restated: RestatedCustomer | null;
}

/**
 * Processes the oldest due receipt of each of several orders in one transaction, with a fixed number of statements for any number of them.
 * Locks the subjects, their receipts, the orders, then all their customers' balances. It leaves for single processing: receipts that
 * contain more than one event about the order of a known customer and the unchanged data of that customer, receipts that failed before, and
 * large bodies. If one receipt fails, the transaction fails and nothing is counted: the caller tries again with fewer.
 */
export async function processOrderReceipts(deps: Deps, subjects: readonly string[]): Promise<ProcessedOrders> {
  return await deps.db.tx(async (tx) => {
    const [{ receipts, busy }, { store }] = await Promise.all([lockNextReceipts(tx, subjects), readProgram(tx)]);
    const read = receipts.flatMap((receipt) => orderReceipt(receipt, store.currency) ?? []);
    const processed = new Set(await apply(tx, deps, await findOwners(tx, deps, read)));
    const alone = receipts.map(({ subject }) => subject).filter((subject) => !processed.has(subject));
    return { processed: [...processed], busy, alone };
  });
}

/** Returns a receipt that has one event about its order and otherwise only names its customer; undefined: it is another kind. */
function orderReceipt(receipt: NextReceipts["receipts"][number], currency: string): OrderReceipt | undefined {
  const { body, attempts, subject } = receipt;
  if (body === null || attempts > 0) return undefined;
  const translation = translateReceipt({ ...receipt, body }, currency);
  if (!translation.ok || translation.events.length > 2) return undefined;
  const [event, profile = null] = translation.events.toReversed();
  if (event === undefined || !isOrderSubject(event) || event.subject !== subject) return undefined;
  if (profile === null) return { receipt, event, profile };
  return profile.type === "CustomerUpserted" && isStatementOf(event, profile) ? { receipt, event, profile } : undefined;
}

function isOrderSubject(event: NeutralEvent): event is OrderSubjectEvent {
  return event.type.startsWith("Order") || event.type === "CouponUsed";
}

/** Whether an event is about an order of the customer whom its receipt states. */
function isStatementOf(event: OrderSubjectEvent, { payload }: CustomerUpserted): boolean {
  const isStatement = event.type !== "OrderEdited" && event.type !== "OrderDeleted" && isOrderStatement(event);
  return isStatement && "customerId" in event.payload && event.payload.customerId === payload.customerId;
}

/**
 * Returns the receipts that state no customer, and those that only repeat the stored data of theirs, with the customer. For the latter it
 * locks what `applyCustomer` locks before it looks for guests' orders. Other receipts are not returned: they create or change a customer,
 * earn a reward, or let a guest's order find its customer.
 */
async function findOwners(tx: Tx, deps: Deps, read: readonly OrderReceipt[]): Promise<readonly OwnedReceipt[]> {
  const stating = read.flatMap((one) => (one.profile === null ? [] : [{ ...one, profile: one.profile }]));
  const others = read.filter(({ profile }) => profile === null).map((one) => ({ ...one, restated: null }));
  if (stating.length === 0) return others;
  await lockOrders(
    tx,
    read.flatMap(({ profile, event }) => (profile === null ? [event] : [profile, event])),
  );
  const found = await findRestated(tx, stating.map(patchOf), deps.clock.now());
  const known = stating.flatMap((one, i) => {
    const restated = found[i];
    if (restated === undefined) return [];
    const { customer } = restated;
    const statesOwn = !one.profile.payload.email || one.profile.payload.email.toLowerCase() === customer.email;
    return statesOwn ? [{ ...one, event: one.profile, order: one, before: customer, customer, restated }] : [];
  });
  const emails = known.flatMap(({ customer }) => customer.email ?? []);
  const [waiting, due] = await Promise.all([selectWaitingEmails(tx, emails), readDueRewards(tx, known)]);
  const settled = known.filter(({ customer }, i) => due[i]?.length === 0 && !waiting.has(customer.email ?? ""));
  return [...others, ...settled.map(({ order, restated }) => ({ ...order, restated }))];
}

function patchOf({ profile }: { readonly profile: CustomerUpserted }): CustomerPatch {
  return patchOfFacts(profile.payload, profile.entityVersion, profile.occurredAt);
}

/** Returns the subjects of the receipts that are done, or wait for their order. */
async function apply(tx: Tx, deps: Deps, read: readonly OwnedReceipt[]): Promise<readonly string[]> {
  const states = await applyOrderEvents(
    tx,
    deps,
    read.map(({ event, restated }) =>
      restated === null ? { event } : { event, owner: restated.customer.customerUid },
    ),
  );
  const receiptsOf = (state: (typeof states)[number]) => read.filter((_, i) => states[i] === state);
  const [applied, waiting] = [receiptsOf("applied"), receiptsOf("waiting")];
  await renewVersions(tx, deps, applied);
  await Promise.all([
    wakeWaiting(
      tx,
      applied.map(({ receipt }) => receipt),
    ),
    finishReceipts(tx, [
      ...applied.map(({ receipt }) => ({ receipt, status: DONE })),
      ...waiting.map(({ receipt }) => ({ receipt, status: ORDER_UNKNOWN })),
    ]),
  ]);
  return [...applied, ...waiting].map(({ receipt }) => receipt.subject);
}

/**
 * Stores the newer versions of customers whose data was repeated. Their balances are already locked, because they are the orders'
 * customers. Throws if one of them was changed since it was read: the receipts are tried again.
 */
async function renewVersions(tx: Tx, deps: Deps, applied: readonly OwnedReceipt[]): Promise<void> {
  const patches = applied.flatMap(({ profile, restated }) =>
    profile === null || restated === null || restated.settled ? [] : [patchOf({ profile })],
  );
  if (patches.length === 0) return;
  const results = await upsertCustomers(tx, deps, patches);
  if (results.some(({ changed }) => changed.length > 0))
    throw new Error("a customer changed while the order was processed with others");
}
