import {
  type IdempotencyClaim,
  insertAnswers,
  isStored,
  keyTime,
  LOCK_KEYS,
  lockText,
  readAndPrune,
  replayOf,
  type Stored,
  type StoredAnswer,
} from "../http/idempotency/idempotency.ts";
import { createPostingQueue, type QueueDeps } from "../ledger/queue/posting-queue.ts";
import type { ClaimStore, PostingQueue } from "../ledger/queue/queued-posting.ts";
import { Problem } from "../problems.ts";

/** Creates the posting queue of the REST API: requests with the same Idempotency-Key are posted once and get the same answer (program.md 2). */
export function createRequestQueue(deps: QueueDeps): PostingQueue<IdempotencyClaim, StoredAnswer> {
  return createPostingQueue(deps, keptClaims(deps));
}

function keptClaims({ clock }: QueueDeps): ClaimStore<IdempotencyClaim, StoredAnswer> {
  return {
    lock: (tx, claims) => tx.execute(LOCK_KEYS, [claims.map(lockText)]),
    readAnswers: (tx, claims) =>
      readAndPrune(tx, claims, keyTime(clock)).then((stored) =>
        claims.map((claim, i) => {
          const earlier = stored[i];
          return earlier && replayOrRefusal(claim, earlier);
        }),
      ),
    storeAnswers: (tx, answered) =>
      insertAnswers(
        tx,
        answered.filter(({ answer }) => isStored(answer.status)),
        keyTime(clock),
      ),
    nameOf: lockText,
    isSameRequest: (a, b) => a.fingerprint.equals(b.fingerprint),
    repeatAnswer: (claim, answer) =>
      isStored(answer.status)
        ? replayOrRefusal(claim, { fingerprint: claim.fingerprint, answer })
        : new Problem("unavailable", { retryAfterS: 1 }),
  };
}

function replayOrRefusal(claim: IdempotencyClaim, stored: Stored): StoredAnswer | Problem {
  const replay = replayOf(claim, stored);
  return replay === "idempotency_mismatch" ? new Problem(replay) : replay;
}
