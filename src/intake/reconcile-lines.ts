import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { processNextReceipt } from "./process-next-receipt.ts";
import type { NewReceipt } from "./receipt.ts";
import { insertReceipts } from "./receipt-queries.ts";
import { readReconcileLine } from "./reconcile-line.ts";
import { waitForReceipts } from "./wait-for-receipts.ts";

export interface ReconcileLine {
  /** From 1. */
  readonly n: number;
  /** null: longer than a body may be. */
  readonly bytes: Uint8Array | null;
  /** When it was read from the platform; absent: now. */
  readonly readAt?: Temporal.Instant;
}

export interface ReconcileTally {
  lines: number;
  /** Not received before. */
  fresh: number;
  known: number;
  /** Lines with topics that are not relevant to this service. */
  ignored: number;
  failed: number;
}

const BATCH_LINES = 200;
const BATCH_BYTES = 8_388_608;
/** The maximum number of subjects that are processed at the same time, each with a connection. */
const CONCURRENCY = 2;
/** How long to wait for a customer or order that another worker is processing. */
const BUSY_MS = 30_000;

/**
 * Passes a platform's present data through the same receipts and translation as its deliveries (platforms.md 4.3, rule 7), so that missed
 * changes are applied and known ones change nothing. A line that cannot be accepted is reported and the others continue. It holds one batch
 * of lines at a time; the receipts of a batch are processed before the next one is read.
 */
export async function reconcileLines(
  deps: Deps,
  lines: AsyncIterable<ReconcileLine>,
  reportFault: (n: number, fault: string) => void,
): Promise<ReconcileTally> {
  const tally: ReconcileTally = { lines: 0, fresh: 0, known: 0, ignored: 0, failed: 0 };
  const fail = (n: number, fault: string): void => {
    tally.failed += 1;
    reportFault(n, fault);
  };
  const { store } = await readProgram(deps.db);
  let batch: LineReceipt[] = [];
  let bytes = 0;
  for await (const line of lines) {
    tally.lines += 1;
    const context = { uid: deps.random.uid(), receivedAt: line.readAt ?? deps.clock.now(), currency: store.currency };
    const reading = line.bytes === null ? TOO_LONG : readReconcileLine(line.bytes, context);
    if (reading.kind === "fault") fail(line.n, reading.fault);
    if (reading.kind === "ignored") tally.ignored += 1;
    if (reading.kind !== "receipt") continue;
    batch.push({ n: line.n, receipt: reading.receipt });
    bytes += reading.receipt.body.byteLength;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    await takeBatch(deps, batch, tally, fail);
    batch = [];
    bytes = 0;
  }
  await takeBatch(deps, batch, tally, fail);
  return tally;
}

const TOO_LONG = { kind: "fault", fault: "longer than 10 MB" } as const;

interface LineReceipt {
  readonly n: number;
  readonly receipt: NewReceipt;
}

async function takeBatch(
  deps: Deps,
  batch: readonly LineReceipt[],
  tally: ReconcileTally,
  fail: (n: number, fault: string) => void,
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const known = await selectKnown(deps.db, batch);
  const fresh = batch.filter(({ receipt }) => {
    const key = receipt.key.toString("hex");
    const isFresh = !known.has(key);
    known.add(key); // a line that stands in the batch twice is known the second time
    return isFresh;
  });
  tally.known += batch.length - fresh.length;
  tally.fresh += fresh.length;
  const receipts = fresh.map(({ receipt }) => receipt);
  await insertReceipts(deps.db, receipts);
  const statuses = await processSubjects(deps, receipts);
  for (const [i, { n }] of fresh.entries()) {
    const status = statuses[i];
    const isTaken = status?.state === "done" || status?.state === "waiting";
    if (!isTaken) fail(n, status?.note ?? "not processed yet: the service goes on with it");
  }
}

const SELECT_KNOWN = `select key
from receipt
where key = any($1)`;

async function selectKnown(queryable: Queryable, batch: readonly LineReceipt[]): Promise<Set<string>> {
  const rows = await queryable.query<{ key: Buffer }>(SELECT_KNOWN, [batch.map(({ receipt }) => receipt.key)]);
  return new Set(rows.map(({ key }) => key.toString("hex")));
}

/** Processes the subjects of a batch, a few in parallel; a running service may do the same work at the same time. */
async function processSubjects(deps: Deps, receipts: readonly NewReceipt[]) {
  const subjects = new Set(receipts.map((receipt) => receipt.subject)).values();
  let isBusy = false;
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const subject of subjects) {
      let answer = await processNextReceipt(deps, subject);
      while (answer === "processed") answer = await processNextReceipt(deps, subject);
      isBusy ||= answer === "busy";
    }
  });
  await Promise.all(workers);
  return waitForReceipts(
    deps,
    receipts.map(({ key }) => key),
    isBusy ? BUSY_MS : 0,
  );
}
