import { runAsSystem } from "../actor.ts";
import { isRetryable, sqlState } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type IdempotencyClaim, isStored, lockText, replayOf, type StoredAnswer } from "../http/idempotency.ts";
import { isDatabaseAway } from "../http/refusal.ts";
import { Problem } from "../problems.ts";
import type { ExpiryRules } from "./expiry.ts";
import { postQueuedBatch } from "./post-queued-batch.ts";
import type { Outcome, Posting } from "./posting.ts";

/** What a queued posting came to; a customer that no alias names is a refusal too. */
export type QueuedOutcome =
  | (Outcome & { kind: "posted" })
  | { kind: "refused"; code: "negative_balance" | "balance_limit" | "customer_not_found" };

/** One request's posting, waiting for its batch. */
export interface QueuedPosting {
  readonly storefrontId: string;
  readonly posting: Posting;
  /** Locked before and answered within the transaction of the effect (program.md 2). */
  readonly claim: IdempotencyClaim | null;
  /** The answer of the request, for its caller and for whoever sends the same key again. */
  readonly render: (outcome: QueuedOutcome, rules: ExpiryRules, shownId: string) => StoredAnswer;
}

export interface PostingQueue {
  /** Posts in the next batch; answers once it has committed. 503 when the queue is full or the database is away. */
  post(queued: QueuedPosting): Promise<StoredAnswer>;
  /** Whether a request was posted a moment ago: big jobs then give way. */
  isBusy(): boolean;
}

/** What a queue needs: `Deps` without itself. */
export type QueueDeps = Omit<Deps, "postings">;

interface Waiting {
  readonly queued: QueuedPosting;
  /** Tries so far; from the second on the outcome of the first is looked up under the locks. */
  tries: number;
  resolve(answer: StoredAnswer): void;
  reject(error: unknown): void;
}

const BATCH_MAX = 256;
const BATCHES_IN_FLIGHT = 2;
/** A small batch costs nearly as much as a large one: a second one starts beside the first when so many wait, or wait so long. */
const SECOND_BATCH_MIN = 64;
const PATIENCE_MS = 25;
const QUEUE_MAX = 10_000;
const BUSY_MS = 500;
const TRIES_MAX = 5;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Gathers single postings into batches: what arrives in one turn of the event loop goes together, and what arrives while batches
 * are in flight is the next one. Nothing waits when the service is idle, a customer that everybody posts to gets faster, not
 * slower, and a batch that waits for a lock holds up nobody else for long.
 */
export function createPostingQueue(deps: QueueDeps): PostingQueue {
  const waiting: Waiting[] = [];
  let inFlight = 0;
  let isGathering = false;
  let postedAtMs = Number.NEGATIVE_INFINITY;
  let patience: NodeJS.Timeout | undefined;

  function gather(): void {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      startBatches(SECOND_BATCH_MIN);
    });
  }

  function startBatches(secondMin: number): void {
    while (waiting.length > 0 && (inFlight === 0 || (inFlight < BATCHES_IN_FLIGHT && waiting.length >= secondMin))) {
      inFlight++;
      const { leaders, later } = leadersOf(waiting.splice(0, BATCH_MAX));
      waiting.unshift(...later);
      runBatch(deps, leaders).finally(() => {
        inFlight--;
        gather();
      });
    }
    if (waiting.length === 0) {
      clearTimeout(patience);
      patience = undefined;
    } else {
      patience ??= setTimeout(() => {
        patience = undefined;
        startBatches(1);
      }, PATIENCE_MS);
    }
  }

  return {
    post(queued) {
      if (waiting.length >= QUEUE_MAX) return Promise.reject(new Problem("unavailable", { retryAfterS: 1 }));
      postedAtMs = performance.now();
      return new Promise((resolve, reject) => {
        waiting.push({ queued, tries: 0, resolve, reject });
        if (inFlight < BATCHES_IN_FLIGHT) runAsSystem(gather); // a batch is many requests' work: no one of them acts
      });
    },
    isBusy: () => performance.now() - postedAtMs < BUSY_MS,
  };
}

/**
 * Runs a batch to its end: every member is answered. A batch that fails as a whole runs its members singly, until one of them finds
 * the database away for good: the others would wait as long, one after the other.
 */
async function runBatch(deps: QueueDeps, leaders: readonly Waiting[]): Promise<void> {
  try {
    await attempt(deps, leaders);
  } catch (error) {
    if (leaders.length > 1)
      deps.log.warn(
        { error: String(error), size: leaders.length },
        "a batch of postings failed; its members run singly",
      );
    let away: unknown;
    for (const leader of leaders) {
      if (away === undefined) away = await runAlone(deps, leader, error);
      else leader.reject(away);
    }
  }
}

/**
 * The batch's members that run. Who sent a request again under its key waits for its first sender's answer; another request under
 * the same key runs later: what the key stands for is known then.
 */
function leadersOf(batch: readonly Waiting[]): { leaders: Waiting[]; later: Waiting[] } {
  const byKey = new Map<string, { first: Waiting; fingerprint: Buffer }>();
  const leaders: Waiting[] = [];
  const later: Waiting[] = [];
  for (const member of batch) {
    const { claim } = member.queued;
    const known = claim === null ? undefined : byKey.get(lockText(claim));
    if (claim === null || known === undefined) {
      if (claim !== null) byKey.set(lockText(claim), { first: member, fingerprint: claim.fingerprint });
      leaders.push(member);
    } else if (known.fingerprint.equals(claim.fingerprint)) {
      follow(known.first, member, claim);
    } else {
      later.push(member);
    }
  }
  return { leaders, later };
}

/** Answers `member` as the same request that came after `first` had been answered. */
function follow(first: Waiting, member: Waiting, claim: IdempotencyClaim): void {
  const { resolve, reject } = first;
  first.resolve = (answer) => {
    resolve(answer);
    if (!isStored(answer.status)) return member.reject(new Problem("unavailable", { retryAfterS: 1 }));
    const replay = replayOf(claim, { fingerprint: claim.fingerprint, answer });
    if (replay === "idempotency_mismatch") member.reject(new Problem(replay));
    else member.resolve(replay);
  };
  first.reject = (error) => {
    reject(error);
    member.reject(error);
  };
}

async function attempt(deps: QueueDeps, members: readonly Waiting[]): Promise<void> {
  const retried = members.some((member) => member.tries > 0);
  for (const member of members) member.tries++;
  const answers = await deps.db.tx((tx) =>
    postQueuedBatch(
      tx,
      deps,
      members.map((member) => member.queued),
      { retried },
    ),
  );
  for (const [i, member] of members.entries()) {
    const answer = answers[i];
    if (answer instanceof Problem) member.reject(answer);
    else if (answer !== undefined) member.resolve(answer);
  }
}

/** Runs one posting by itself until its outcome is known, or the tries are used up. Answers the error where the database is away. */
async function runAlone(deps: QueueDeps, member: Waiting, first: unknown): Promise<unknown> {
  let error = first;
  while (member.tries < TRIES_MAX) {
    try {
      await attempt(deps, [member]);
      return undefined;
    } catch (thrown) {
      error = thrown;
      if (sqlState(thrown) === LOCK_NOT_AVAILABLE) break;
      if (!isRetryable(thrown) && !isDatabaseAway(thrown) && member.tries > 1) break;
      if (isDatabaseAway(thrown) && member.tries < TRIES_MAX) await pause(100 * 2 ** member.tries);
    }
  }
  const waitedForLock = sqlState(error) === LOCK_NOT_AVAILABLE;
  const waitedForKey = waitedForLock && member.queued.claim !== null;
  member.reject(waitedForKey ? new Problem("idempotency_running") : error);
  return isDatabaseAway(error) && !isRetryable(error) && !waitedForLock ? error : undefined;
}

/** A real pause, on the machine's clock: the database may be starting again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
