import { createBatcher } from "../../db/create-batcher.ts";
import { isDatabaseAway } from "../../db/database-away.ts";
import { isRetryable, sqlState } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { batchCounts } from "../../instruments/instruments.ts";
import { currentTraceparent } from "../../instruments/request-scope.ts";
import type { Span } from "../../instruments/tracer.ts";
import { Problem } from "../../problems.ts";
import { postQueuedBatch } from "./post-queued-batch.ts";
import type { ClaimStore, PostingQueue, QueuedPosting } from "./queued-posting.ts";

/** The dependencies of a queue: `Deps` without the queue itself. */
export type QueueDeps = Omit<Deps, "postings">;

/** The state that the postings of a queue share. */
interface Queue<Claim, Answer> {
  readonly deps: QueueDeps;
  readonly claims: ClaimStore<Claim, Answer>;
}

interface Waiting<Claim, Answer> {
  readonly queued: QueuedPosting<Claim, Answer>;
  /** The number of tries so far; from the second try on, the outcome of the first is looked up under the locks. */
  tries: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

const BATCH_MAX = 256;
const BATCHES_IN_FLIGHT = 3;
/** A small batch costs nearly as much as a large one. Three in flight keep a machine busy that also does other work (decision 3). */
const NEXT_BATCH_MIN = 40;
const BUSY_MS = 500;
const TRIES_MAX = 5;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Creates a queue that posts single postings in batches (`createBatcher`): many postings to one customer become faster, and a batch that waits
 * for a lock does not delay the others for long. Posting throws `unavailable` if the queue is full.
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

/** Attaches the trace of its request to a posting, because a batch does the work of many requests. */
function tracedPosting<C, A>(queued: QueuedPosting<C, A>): QueuedPosting<C, A> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? queued : { ...queued, posting: { ...queued.posting, traceparent } };
}

/** Records the batch in the trace of each posting; later work for the posting belongs to that span. */
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
 * Runs a batch until every posting is answered. If a batch fails as a whole, its postings run one by one, until one of them finds the database
 * unavailable after all retries: the others would each wait as long.
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
 * Returns the postings of the batch that run. A repeated request with the same key waits for the answer of the first one. A different request
 * with the same key runs later, when the key's request is known.
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

/** Settles `waiting` like a repeated request that arrives after `first` was answered. */
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

/** Runs a single posting until its outcome is known or the tries are used up. Returns the error if the database is unavailable. */
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

/** Waits by the machine's clock: the database may be starting again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
