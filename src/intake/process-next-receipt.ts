import { isDatabaseAway } from "../db/database-away.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { CustomerDeleted, NeutralEvent } from "../platforms/neutral-events.ts";
import { Problem } from "../problems.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { applyEvent } from "./apply-event.ts";
import { lockOrders } from "./lock-orders.ts";
import { readRedactedSubjects } from "./read-redacted-subjects.ts";
import {
  AFTER_EARLIER,
  concernsOrder,
  noteText,
  type Receipt,
  type ReceiptStatus,
  receiptState,
  translateReceipt,
} from "./receipt.ts";
import {
  finishReceipts,
  lockNextReceipt,
  type NextReceipt,
  postponeReceipt,
  recordFailure,
  wakeWaiting,
} from "./receipt-queries.ts";
import { dropBody, hasEarlierReceipts, retryFailed } from "./redaction-queries.ts";

/** Waits, by the machine's clock, before each retry of a receipt whose processing failed. After the last one it has failed. */
const RETRY_WAITS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000];

export type Processed = "processed" | "busy" | "none";

/**
 * Processes the oldest due receipt of a subject in one transaction, which locks the subject, then the receipt, then what the event changes.
 * "busy": another worker has the subject. A failure is counted and retried later; after five the receipt is `failed`. Meanwhile the
 * subject's later receipts are processed, because facts give the same result in any order. If the database is unavailable nothing is
 * counted and the error is thrown.
 */
export async function processNextReceipt(deps: Deps, subject: string): Promise<Processed> {
  const locked: { receipt?: Receipt } = {};
  try {
    return await deps.db.tx(async (tx) => {
      const [next, program] = await Promise.all([lockNextReceipt(tx, subject), readProgram(tx)]);
      if (typeof next === "string") return next;
      locked.receipt = next;
      const status = await apply(tx, deps, next, program);
      if (status.state === "new") await postponeReceipt(tx, next, status);
      else await finishReceipts(tx, [{ receipt: next, status }]);
      return "processed";
    });
  } catch (error) {
    if (locked.receipt === undefined || isDatabaseAway(error)) throw error;
    await fail(deps, locked.receipt, error);
    return "processed";
  }
}

async function apply(tx: Tx, deps: Deps, receipt: NextReceipt, { store }: Program): Promise<ReceiptStatus> {
  const translation = translateReceipt(receipt, store.currency);
  if (!translation.ok || translation.events.length === 0) {
    const { state, note } = receiptState(translation);
    return { state, note };
  }
  const redaction = translation.events.find(isRedaction);
  if (redaction !== undefined && (await mustWait(tx, receipt, redaction))) return AFTER_EARLIER;
  await lockOrders(tx, translation.events);
  let last: ReceiptStatus = { state: "done", note: null };
  let knowsOrder = false;
  for (const event of translation.events) {
    last = await applyEvent(tx, deps, event);
    knowsOrder ||= last.state === "done" && concernsOrder(event);
  }
  if (knowsOrder) await wakeWaiting(tx, [receipt]);
  if (redaction !== undefined) await dropBody(tx, receipt);
  return last;
}

function isRedaction(event: NeutralEvent): event is CustomerDeleted {
  return event.type === "CustomerDeleted" && event.payload.reason === "redacted";
}

/** Whether a redaction has to wait. The first time, it has what failed before tried again; nothing of it is done before. */
async function mustWait(tx: Tx, receipt: NextReceipt, { payload }: CustomerDeleted): Promise<boolean> {
  const subjects = await readRedactedSubjects(tx, payload);
  if (receipt.note === null) await retryFailed(tx, subjects, receipt);
  return hasEarlierReceipts(tx, receipt, subjects);
}

async function fail(deps: Deps, receipt: Receipt, error: unknown): Promise<void> {
  const waitMs = RETRY_WAITS_MS[receipt.attempts];
  const state = waitMs === undefined ? "failed" : "new";
  const fields = { error, topic: receipt.topic, subject: receipt.subject, attempts: receipt.attempts + 1 };
  if (state === "failed") deps.log.error(fields, "a receipt failed");
  else deps.log.warn(fields, "a receipt will be tried again");
  await recordFailure(deps.db, receipt, { state, note: failureNote(error), waitMs: waitMs ?? 0 });
}

function failureNote(error: unknown): string {
  if (error instanceof Problem) return noteText(`${error.code}: ${error.message}`);
  return noteText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
