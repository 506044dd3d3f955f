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
      runBatch(deps, waiting.splice(0, BATCH_MAX)).finally(() => {
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
      return new Promise((resolve, reject) => {
        waiting.push({ queued, tries: 0, resolve, reject });
        if (inFlight < BATCHES_IN_FLIGHT) gather();
      });
    },
  };
}

/** Runs a batch to its end: every member is answered. A batch that fails as a whole runs its members singly. */
async function runBatch(deps: QueueDeps, batch: readonly Waiting[]): Promise<void> {
  const leaders = leadersOf(batch);
  try {
    await attempt(
      deps,
      leaders.map((group) => group.leader),
    );
  } catch (error) {
    if (leaders.length > 1)
      deps.log.warn(
        { error: String(error), size: leaders.length },
        "a batch of postings failed; its members run singly",
      );
    for (const group of leaders) await runAlone(deps, group.leader, error);
  }
}

/** The batch's members that run; who sent a key again waits for its first sender's answer. */
function leadersOf(batch: readonly Waiting[]): { leader: Waiting }[] {
  const byKey = new Map<string, Waiting>();
  const leaders: { leader: Waiting }[] = [];
  for (const member of batch) {
    const { claim } = member.queued;
    const first = claim === null ? undefined : byKey.get(lockText(claim));
    if (claim === null || first === undefined) {
      if (claim !== null) byKey.set(lockText(claim), member);
      leaders.push({ leader: member });
    } else {
      follow(first, member, claim);
    }
  }
  return leaders;
}

/** Answers `member` as a request that came after `first` had been answered. */
function follow(first: Waiting, member: Waiting, claim: IdempotencyClaim): void {
  const fingerprint = first.queued.claim?.fingerprint;
  const { resolve, reject } = first;
  first.resolve = (answer) => {
    resolve(answer);
    if (fingerprint === undefined || !isStored(answer.status))
      return member.reject(new Problem("unavailable", { retryAfterS: 1 }));
    const replay = replayOf(claim, { fingerprint, answer });
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

/** Runs one posting by itself until its outcome is known, or the tries are used up. */
async function runAlone(deps: QueueDeps, member: Waiting, first: unknown): Promise<void> {
  let error = first;
  while (member.tries < TRIES_MAX) {
    try {
      await attempt(deps, [member]);
      return;
    } catch (thrown) {
      error = thrown;
      if (sqlState(thrown) === LOCK_NOT_AVAILABLE) break;
      if (!isRetryable(thrown) && !isDatabaseAway(thrown) && member.tries > 1) break;
      if (isDatabaseAway(thrown)) await pause(100 * 2 ** member.tries);
    }
  }
  const waitedForKey = sqlState(error) === LOCK_NOT_AVAILABLE && member.queued.claim !== null;
  member.reject(waitedForKey ? new Problem("idempotency_running") : error);
}

/** A real pause, on the machine's clock: the database may be starting again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
