import { adaptiveBatchSize } from "../db/backpressure.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { isRetryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import { type ProcessedOrders, processOrderReceipts } from "./process-order-receipts.ts";
import { concernsOrder } from "./receipt.ts";
import { type DueSubject, selectDueSubjects } from "./receipt-queries.ts";

/** The maximum number of subjects that are processed singly at the same time, each with a connection. */
const CONCURRENCY = 8;
/** The maximum number of sets of orders at the same time: while one waits for the database, the other one is decided. */
const SETS_CONCURRENCY = 2;
/** Orders per set. The balances of a set are locked together; while requests are posting, sets are smaller, so that requests wait for less. */
const SET_SIZE = { quiet: 100, busy: 25 };
/** The maximum number of receipts of one subject in a row, so that a busy subject does not delay others. */
const IN_A_ROW_MAX = 50;

export interface Round {
  readonly processed: number;
  /** Subjects that another worker is processing. */
  readonly busy: number;
  /** Errors of an unavailable database; no attempt was counted for them. */
  readonly faults: readonly unknown[];
}

/** The results of a running round so far. */
interface OpenRound {
  processed: number;
  busy: number;
  readonly faults: unknown[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Processes one round of what is due: orders in sets, and everything else by subject, several in parallel, the receipts of each subject one after the
 * other. A round has as many receipts as were due when it began. Later ones belong to the next round, so that no subject is read again only to find
 * nothing.
 */
export async function processDueReceipts(deps: Deps, signal?: AbortSignal): Promise<Round> {
  const due = await selectDueSubjects(deps.db);
  const round: OpenRound = { processed: 0, busy: 0, faults: [], signal };
  const [orders, others] = [due.filter(concernsOrder), due.filter((one) => !concernsOrder(one))];
  const [alone] = await Promise.all([processOrders(deps, orders, round), processEach(deps, others, round)]);
  await processEach(deps, alone, round);
  const { processed, busy, faults } = round;
  return { processed, busy, faults };
}

/** Processes orders in sets. Returns those that have to be processed singly. */
async function processOrders(
  deps: Deps,
  orders: readonly DueSubject[],
  round: OpenRound,
): Promise<readonly DueSubject[]> {
  const alone: DueSubject[] = [];
  const left = [...orders];
  const workers = Array.from({ length: SETS_CONCURRENCY }, async () => {
    while (left.length > 0 && round.signal?.aborted !== true) {
      const set = left.splice(0, adaptiveBatchSize(deps, SET_SIZE));
      alone.push(...(await processRows(deps, set, round)));
    }
  });
  await Promise.all(workers);
  return alone;
}

/** Processes the receipts of a set of orders: one after the other for each order, all orders together. */
async function processRows(deps: Deps, set: readonly DueSubject[], round: OpenRound): Promise<readonly DueSubject[]> {
  const alone: DueSubject[] = [];
  let orders = new Map(set.map((one) => [one.subject, one]));
  for (let n = 1; n <= IN_A_ROW_MAX && orders.size > 0 && round.signal?.aborted !== true; n++) {
    const done = await processSet(deps, [...orders.keys()], round);
    round.processed += done.processed.length;
    round.busy += done.busy.length;
    for (const subject of done.alone) {
      const one = orders.get(subject);
      if (one !== undefined) alone.push({ ...one, due: one.due - (n - 1) });
    }
    const isDone = new Set(done.processed);
    orders = new Map([...orders].filter(([subject, { due }]) => due > n && isDone.has(subject)));
  }
  return alone;
}

const NOTHING: ProcessedOrders = { processed: [], busy: [], alone: [] };

/** Processes the next receipt of each order of a set. If the set fails, it is divided into halves, so that a failing receipt fails alone. */
async function processSet(deps: Deps, subjects: readonly string[], round: OpenRound): Promise<ProcessedOrders> {
  try {
    return await processOrderReceipts(deps, subjects);
  } catch (error) {
    if (isDatabaseAway(error) && !isRetryable(error)) {
      round.faults.push(error);
      return NOTHING;
    }
    if (subjects.length === 1) return { ...NOTHING, alone: subjects };
    deps.log.debug({ error, count: subjects.length }, "a set of receipts is processed by halves");
    const middle = subjects.length >> 1;
    const first = await processSet(deps, subjects.slice(0, middle), round);
    const second = await processSet(deps, subjects.slice(middle), round);
    return {
      processed: [...first.processed, ...second.processed],
      busy: [...first.busy, ...second.busy],
      alone: [...first.alone, ...second.alone],
    };
  }
}

async function processEach(deps: Deps, subjects: readonly DueSubject[], round: OpenRound): Promise<void> {
  const left = subjects.values();
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const due of left) {
      if (round.signal?.aborted === true) return;
      await processSubject(deps, due, round);
    }
  });
  await Promise.all(workers);
}

async function processSubject(deps: Deps, { subject, due }: DueSubject, round: OpenRound): Promise<void> {
  try {
    for (let n = 0; n < Math.min(due, IN_A_ROW_MAX) && round.signal?.aborted !== true; n++) {
      const answer = await processNextReceipt(deps, subject);
      if (answer === "busy") round.busy += 1;
      if (answer !== "processed") return;
      round.processed += 1;
    }
  } catch (error) {
    round.faults.push(error);
  }
}
