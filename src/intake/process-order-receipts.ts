import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { OrderSubjectEvent } from "../orders/apply-order-event.ts";
import { applyOrderEvents } from "../orders/apply-order-events.ts";
import type { NeutralEvent } from "../platforms/neutral-events.ts";
import { readProgram } from "../program/read-program.ts";
import { DONE, ORDER_UNKNOWN, type Receipt, translateReceipt } from "./receipt.ts";
import { finishReceipts, lockNextReceipts, type NextReceipts, wakeWaiting } from "./receipt-queries.ts";

/** What became of the oldest due receipts of some orders. */
export interface ProcessedOrders {
  readonly processed: readonly string[];
  /** Subjects that another worker has. */
  readonly busy: readonly string[];
  /** Subjects whose receipt is to be processed by itself (`processNextReceipt`): nothing was written of it. */
  readonly alone: readonly string[];
}

interface OrderReceipt {
  readonly receipt: Pick<Receipt, "key" | "subject">;
  readonly event: OrderSubjectEvent;
}

/**
 * Processes the oldest due receipt of each of several orders in one transaction, by a fixed number of statements for any count of them.
 * It locks the subjects, their receipts, the orders, then all their customers' balances. Left alone is what is more than one event
 * of a known customer's order, what failed before, and large bodies. One receipt that fails has the transaction fail, and nothing
 * is counted: the caller tries again with fewer.
 */
export async function processOrderReceipts(deps: Deps, subjects: readonly string[]): Promise<ProcessedOrders> {
  return await deps.db.tx(async (tx) => {
    const [{ receipts, busy }, { store }] = await Promise.all([lockNextReceipts(tx, subjects), readProgram(tx)]);
    const read = receipts.flatMap((receipt) => orderReceipt(receipt, store.currency) ?? []);
    const processed = new Set(await apply(tx, deps, read));
    const alone = receipts.map(({ subject }) => subject).filter((subject) => !processed.has(subject));
    return { processed: [...processed], busy, alone };
  });
}

/** A receipt that says one thing of its order, and nothing else. */
function orderReceipt(receipt: NextReceipts["receipts"][number], currency: string): OrderReceipt | undefined {
  const { body, attempts, subject } = receipt;
  if (body === null || attempts > 0) return undefined;
  const translation = translateReceipt({ ...receipt, body }, currency);
  if (!translation.ok || translation.events.length !== 1) return undefined;
  const [event] = translation.events;
  return event !== undefined && isOrderSubject(event) && event.subject === subject ? { receipt, event } : undefined;
}

function isOrderSubject(event: NeutralEvent): event is OrderSubjectEvent {
  return event.type.startsWith("Order") || event.type === "CouponUsed";
}

/** Returns the subjects of the receipts that are done, or wait for their order. */
async function apply(tx: Tx, deps: Deps, read: readonly OrderReceipt[]): Promise<readonly string[]> {
  const states = await applyOrderEvents(
    tx,
    deps,
    read.map(({ event }) => event),
  );
  const receiptsOf = (state: (typeof states)[number]) => read.filter((_, i) => states[i] === state);
  const [applied, waiting] = [receiptsOf("applied"), receiptsOf("waiting")];
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
