import type { Tx } from "../db/pool.ts";
import type { Problem } from "../problems.ts";
import type { ExpiryRules } from "./expiry.ts";
import type { Outcome, Posting } from "./posting.ts";

/** What a queued posting came to; a customer that no alias names is a refusal too. */
export type QueuedOutcome =
  | (Outcome & { kind: "posted" })
  | { kind: "refused"; code: "negative_balance" | "balance_limit" | "customer_not_found" };

/** One request's posting, waiting for its batch. What `Claim` and `Answer` are is known to the requests' side alone. */
export interface QueuedPosting<Claim, Answer> {
  readonly storefrontId: string;
  readonly posting: Posting;
  /** Locked before and answered within the transaction of the effect (program.md 2). */
  readonly claim: Claim | null;
  /** The response to the request, for its caller and for a repeated claim. */
  readonly render: (outcome: QueuedOutcome, rules: ExpiryRules, shownId: string) => Answer;
}

export interface PostingQueue<Claim, Answer> {
  /** Posts in the next batch; answers once it has committed. 503 when the queue is full or the database is away. */
  post(queued: QueuedPosting<Claim, Answer>): Promise<Answer>;
  /** Whether a request was posted a moment ago: big jobs then give way. */
  isBusy(): boolean;
}

/** A claim and what its request is answered. */
export interface AnsweredRequest<Claim, Answer> {
  readonly claim: Claim;
  readonly answer: Answer;
}

/** How claims are kept, so that a request that is sent twice is posted once; all within the transaction of the batch. */
export interface ClaimStore<Claim, Answer> {
  /** Locks claims until the transaction ends, always in the same order. Sent before the balances are locked. */
  lock(tx: Tx, claims: readonly Claim[]): Promise<unknown>;
  /** What each claim is answered without being posted, in their order; undefined: it was not answered yet. Sent after the locks. */
  readAnswers(tx: Tx, claims: readonly Claim[]): Promise<(Answer | Problem | undefined)[]>;
  /** Keeps the answers that are to be sent again. */
  storeAnswers(tx: Tx, answered: readonly AnsweredRequest<Claim, Answer>[]): Promise<unknown>;
  /** Claims of one name never run in one batch. */
  nameOf(claim: Claim): string;
  /** Whether two claims of one name are of the same request. */
  isSameRequest(a: Claim, b: Claim): boolean;
  /** What the same request, sent again meanwhile, is answered once the first was answered so. */
  repeatAnswer(claim: Claim, answer: Answer): Answer | Problem;
}
