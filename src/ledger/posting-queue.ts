import { createBatcher } from "../db/create-batcher.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { isRetryable, sqlState } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { batchCounts } from "../instruments/instruments.ts";
import { currentTraceparent } from "../instruments/request-scope.ts";
import type { Span } from "../instruments/tracer.ts";
import { Problem } from "../problems.ts";
import { postQueuedBatch } from "./post-queued-batch.ts";
import type { ClaimStore, PostingQueue, QueuedPosting } from "./queued-posting.ts";

/** What a queue needs: `Deps` without itself. */
export type QueueDeps = Omit<Deps, "postings">;

/** What the postings of a queue share. */
interface Queue<Claim, Answer> {
  readonly deps: QueueDeps;
  readonly claims: ClaimStore<Claim, Answer>;
}

interface Waiting<Claim, Answer> {
  readonly queued: QueuedPosting<Claim, Answer>;
  /** Tries so far; from the second on the outcome of the first is looked up under the locks. */
  tries: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const BATCH_MAX = 256;
const BATCHES_IN_FLIGHT = 3;
/** A small batch costs nearly as much as a large one. Three in flight keep a machine busy that other work uses, too (decision 3). */
const NEXT_BATCH_MIN = 40;
const BUSY_MS = 500;
const TRIES_MAX = 5;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Posts single postings in batches (`createBatcher`): a customer that everybody posts to gets faster, not slower, and a batch that waits
 * for a lock does not delay the others for long. Throws `unavailable` where the queue is full.
 */
export function createPostingQueue<Claim, Answer>(
  deps: QueueDeps,
  claims: ClaimStore<Claim, Answer>,
): PostingQueue<Claim, Answer> {
  const queue = { deps, claims };
  let postedAtMs = Number.NEGATIVE_INFINITY;
  const add = createBatcher<Waiting<Claim, Answer>>({
    inFlightMax: BATCHES_IN_FLIGHT,
    nextMin: NEXT_BATCH_MIN,
    counts: batchCounts(deps.instruments, "postings"),
    take: (waiting) => {
      const { leaders, later } = leadersOf(claims, waiting.splice(0, BATCH_MAX));
      waiting.unshift(...later);
      return leaders;
    },
    run: (leaders) => runBatch(queue, leaders),
  });
  return {
    post: (queued) =>
      new Promise((resolve, reject) => {
        add({ queued: deps.tracer === null ? queued : tracedPosting(queued), tries: 0, resolve, reject });
        postedAtMs = performance.now();
      }),
    isBusy: () => performance.now() - postedAtMs < BUSY_MS,
  };
}

/** The trace of a request goes with its posting: a batch is many requests' work. */
function tracedPosting<C, A>(queued: QueuedPosting<C, A>): QueuedPosting<C, A> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? queued : { ...queued, posting: { ...queued.posting, traceparent } };
}

/** Each posting's own trace shows the batch; what comes of the posting belongs to that span. */
function traceBatch<C, A>(
  { tracer }: Pick<QueueDeps, "tracer">,
  batch: readonly Waiting<C, A>[],
): { queued: QueuedPosting<C, A>[]; end(error?: unknown): void } {
  const spans: Span[] = [];
  const queued = batch.map((waiting) => {
    const { posting } = waiting.queued;
    if (tracer === null || posting.traceparent === undefined) return waiting.queued;
    const attributes = { "pointkeeper.batch_size": batch.length, "pointkeeper.try": waiting.tries };
    const span = tracer.start("posting batch", { kind: "internal", parent: posting.traceparent, attributes });
    spans.push(span);
    return { ...waiting.queued, posting: { ...posting, traceparent: span.traceparent } };
  });
  const end = (error?: unknown) => {
    for (const span of spans) span.end({}, error);
  };
  return { queued, end };
}

/**
 * Runs a batch to its end: every posting is answered. A batch that fails as a whole runs its postings singly, until one of them finds
 * the database away for good: the others would wait as long, one after the other.
 */
async function runBatch<C, A>(queue: Queue<C, A>, leaders: readonly Waiting<C, A>[]): Promise<void> {
  try {
    await attempt(queue, leaders);
  } catch (error) {
    if (leaders.length > 1)
      queue.deps.log.warn(
        { error: String(error), size: leaders.length },
        "a batch of postings failed; its postings run singly",
      );
    let away: unknown;
    for (const leader of leaders) {
      if (away === undefined) away = await runAlone(queue, leader, error);
      else leader.reject(away);
    }
  }
}

/**
 * The postings of the batch that run. Who sent a request again under its key waits for its first sender's answer; another request under
 * the same key runs later: what the key stands for is known then.
 */
function leadersOf<C, A>(
  claims: ClaimStore<C, A>,
  batch: readonly Waiting<C, A>[],
): { leaders: Waiting<C, A>[]; later: Waiting<C, A>[] } {
  const byName = new Map<string, { first: Waiting<C, A>; claim: C }>();
  const leaders: Waiting<C, A>[] = [];
  const later: Waiting<C, A>[] = [];
  for (const waiting of batch) {
    const { claim } = waiting.queued;
    const name = claim === null ? null : claims.nameOf(claim);
    const known = name === null ? undefined : byName.get(name);
    if (claim === null || name === null || known === undefined) {
      if (claim !== null && name !== null) byName.set(name, { first: waiting, claim });
      leaders.push(waiting);
    } else if (claims.isSameRequest(known.claim, claim)) {
      follow(known.first, waiting, (answer) => claims.repeatAnswer(claim, answer));
    } else {
      later.push(waiting);
    }
  }
  return { leaders, later };
}

/** Settles `waiting` as the same request that came after `first` had been answered. */
function follow<C, A>(first: Waiting<C, A>, waiting: Waiting<C, A>, repeat: (answer: A) => A | Problem): void {
  const { resolve, reject } = first;
  first.resolve = (answer) => {
    resolve(answer);
    deliver(waiting, repeat(answer));
  };
  first.reject = (error) => {
    reject(error);
    waiting.reject(error);
  };
}

function deliver<C, A>(waiting: Waiting<C, A>, answer: A | Problem): void {
  if (answer instanceof Problem) waiting.reject(answer);
  else waiting.resolve(answer);
}

async function attempt<C, A>({ deps, claims }: Queue<C, A>, batch: readonly Waiting<C, A>[]): Promise<void> {
  const retried = batch.some((waiting) => waiting.tries > 0);
  for (const waiting of batch) waiting.tries++;
  const traced = traceBatch(deps, batch);
  const answers = await deps.db
    .txByKeys((tx) => postQueuedBatch(tx, deps, traced.queued, { claims, retried }))
    .catch((error: unknown) => {
      traced.end(error);
      throw error;
    });
  traced.end();
  for (const [i, waiting] of batch.entries()) {
    const answer = answers[i];
    if (answer !== undefined) deliver(waiting, answer);
  }
}

/** Runs one posting by itself until its outcome is known, or the tries are used up. Returns the error where the database is away. */
async function runAlone<C, A>(queue: Queue<C, A>, waiting: Waiting<C, A>, first: unknown): Promise<unknown> {
  let error = first;
  while (waiting.tries < TRIES_MAX) {
    try {
      await attempt(queue, [waiting]);
      return undefined;
    } catch (thrown) {
      error = thrown;
      if (sqlState(thrown) === LOCK_NOT_AVAILABLE) break;
      if (!isRetryable(thrown) && !isDatabaseAway(thrown) && waiting.tries > 1) break;
      if (isDatabaseAway(thrown) && waiting.tries < TRIES_MAX) await pause(100 * 2 ** waiting.tries);
    }
  }
  const waitedForLock = sqlState(error) === LOCK_NOT_AVAILABLE;
  const waitedForKey = waitedForLock && waiting.queued.claim !== null;
  waiting.reject(waitedForKey ? new Problem("idempotency_running") : error);
  return isDatabaseAway(error) && !isRetryable(error) && !waitedForLock ? error : undefined;
}

/** A real pause, on the machine's clock: the database may be starting again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
