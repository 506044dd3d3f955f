import { createHistogram, DURATION_BOUNDS_S, type Histogram, observe } from "./histogram.ts";

/** Requests of one route since the start of the process. */
export interface RouteCounts {
  readonly method: string;
  /** The pattern, never a URL: it has no ids, and there are as many as the code has routes. */
  readonly route: string;
  readonly byStatus: Map<number, number>;
  readonly seconds: Histogram;
}

/** The batches of one queue since the start of the process. */
export interface BatchCounts {
  /** How many items wait now. */
  waiting: () => number;
  inFlight: number;
  readonly sizes: Histogram;
  readonly seconds: Histogram;
}

/** What came of an attempt: 200, another status, or no answer in time. */
export type AttemptResult = "acknowledged" | "refused" | "no_answer";

/** Webhook attempts of one topic since the start of the process. */
export interface AttemptCounts {
  readonly byResult: Record<AttemptResult, number>;
  readonly seconds: Histogram;
}

/** What came of an attempt to send a mail; `failed`: it is given up. */
export type MailOutcome = "sent" | "failed" | "retried";

/** Lines of the log, the suppressed ones of a flood too. */
export type LogLines = Record<"debug" | "info" | "warn" | "error", number>;

/**
 * What this process counts while it works, in plain numbers: nothing is formatted, summed up or sent until somebody asks
 * (`src/prometheus`). Counting never fails and never waits.
 */
export interface Instruments {
  readonly routes: Map<string, RouteCounts>;
  readonly batches: Map<string, BatchCounts>;
  readonly attempts: Map<string, AttemptCounts>;
  /** Attempts to send mails, by what they are about. */
  readonly mails: Map<string, Record<MailOutcome, number>>;
  /** Failures of loops and chores by name. */
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

/** The counts of a route, the same for the same method and pattern. */
export function routeCounts({ routes }: Instruments, method: string, route: string): RouteCounts {
  return entryOf(routes, `${method} ${route}`, () => ({
    method,
    route,
    byStatus: new Map(),
    seconds: createHistogram(DURATION_BOUNDS_S),
  }));
}

/** Counts a request that was answered; `ms` is how long that took. */
export function countRequest(counts: RouteCounts, status: number, ms: number): void {
  counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
  observe(counts.seconds, ms / 1_000);
}

/** The counts of a queue by its name. */
export function batchCounts({ batches }: Pick<Instruments, "batches">, queue: string): BatchCounts {
  return entryOf(batches, queue, () => ({
    waiting: () => 0,
    inFlight: 0,
    sizes: createHistogram(BATCH_SIZE_BOUNDS),
    seconds: createHistogram(DURATION_BOUNDS_S),
  }));
}

/** Counts a webhook attempt; `status` is null where no answer came. */
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
