import { createHistogram, DURATION_BOUNDS_S, type Histogram, observe } from "./histogram.ts";

/** The requests of one route since the start of the process. */
export interface RouteCounts {
  readonly method: string;
  /** The route's pattern, never a URL: it contains no ids, and there are only as many as the code has routes. */
  readonly route: string;
  readonly byStatus: Map<number, number>;
  readonly seconds: Histogram;
}

/** The batches of one queue since the start of the process. */
export interface BatchCounts {
  /** Returns how many items wait now. */
  waiting: () => number;
  inFlight: number;
  readonly sizes: Histogram;
  readonly seconds: Histogram;
}

/** The result of an attempt: 200, another status, or no answer in time. */
export type AttemptResult = "acknowledged" | "refused" | "no_answer";

/** Webhook attempts of one topic since the start of the process. */
export interface AttemptCounts {
  readonly byResult: Record<AttemptResult, number>;
  readonly seconds: Histogram;
}

/** The result of an attempt to send a mail; `failed`: no further attempt is made. */
export type MailOutcome = "sent" | "failed" | "retried";

/** Lines of the log, including the suppressed ones of a flood. */
export type LogLines = Record<"debug" | "info" | "warn" | "error", number>;

/**
 * The counters of this process, as plain numbers: nothing is formatted, summed or sent until it is requested (`src/prometheus`). Counting never fails
 * and never waits.
 */
export interface Instruments {
  readonly routes: Map<string, RouteCounts>;
  readonly batches: Map<string, BatchCounts>;
  readonly attempts: Map<string, AttemptCounts>;
  /** Attempts to send mails, by category. */
  readonly mails: Map<string, Record<MailOutcome, number>>;
  /** Failures of loops and periodic tasks by name. */
  readonly workFailures: Map<string, number>;
  readonly logLines: LogLines;
}

const BATCH_SIZE_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

export function createInstruments(): Instruments {
  return {
    routes: new Map(),
    batches: new Map(),
    attempts: new Map(),
    mails: new Map(),
    workFailures: new Map(),
    logLines: { debug: 0, info: 0, warn: 0, error: 0 },
  };
}

/** Returns the counts of a route, the same object for the same method and pattern. */
export function routeCounts({ routes }: Instruments, method: string, route: string): RouteCounts {
  return entryOf(routes, `${method} ${route}`, () => ({
    method,
    route,
    byStatus: new Map(),
    seconds: createHistogram(DURATION_BOUNDS_S),
  }));
}

/** Counts an answered request; `ms` is how long that took. */
export function countRequest(counts: RouteCounts, status: number, ms: number): void {
  counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
  observe(counts.seconds, ms / 1_000);
}

/** Returns the counts of a queue by its name. */
export function batchCounts({ batches }: Pick<Instruments, "batches">, queue: string): BatchCounts {
  return entryOf(batches, queue, () => ({
    waiting: () => 0,
    inFlight: 0,
    sizes: createHistogram(BATCH_SIZE_BOUNDS),
    seconds: createHistogram(DURATION_BOUNDS_S),
  }));
}

/** Counts a webhook attempt; `status` is null if no answer came. */
export function countDeliveryAttempt(
  { attempts }: Instruments,
  topic: string,
  status: number | null,
  ms: number,
): void {
  const counts = entryOf(attempts, topic, () => ({
    byResult: { acknowledged: 0, refused: 0, no_answer: 0 },
    seconds: createHistogram(DURATION_BOUNDS_S),
  }));
  counts.byResult[status === null ? "no_answer" : status === 200 ? "acknowledged" : "refused"] += 1;
  observe(counts.seconds, ms / 1_000);
}

/** Counts an attempt to send a mail. */
export function countMail({ mails }: Pick<Instruments, "mails">, category: string, outcome: MailOutcome): void {
  entryOf(mails, category, () => ({ sent: 0, failed: 0, retried: 0 }))[outcome] += 1;
}

export function countWorkFailure({ workFailures }: Instruments, work: string): void {
  workFailures.set(work, (workFailures.get(work) ?? 0) + 1);
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
