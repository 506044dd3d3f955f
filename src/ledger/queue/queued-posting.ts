import type { Tx } from "../../db/pool.ts";
import type { Problem } from "../../problems.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import type { Outcome, Posting } from "../posting.ts";

/** The outcome of a queued posting; a customer that no alias names is also a refusal. */
export type QueuedOutcome =
  | (Outcome & { kind: "posted" })
  | { kind: "refused"; code: "negative_balance" | "balance_limit" | "customer_not_found" };

/** One request's posting, waiting for its batch. `Claim` and `Answer` are types of the code that handles requests. */
export interface QueuedPosting<Claim, Answer> {
  readonly storefrontId: string;
  readonly posting: Posting;
  /** Locked before the balances and answered within the transaction of the effect (program.md 2). */
  readonly claim: Claim | null;
  /** Creates the response to the request, for its caller and for a repeated claim. */
  readonly render: (outcome: QueuedOutcome, rules: ExpiryRules, shownId: string) => Answer;
}

export interface PostingQueue<Claim, Answer> {
  /** Posts in the next batch; resolves once it has committed. Throws 503 if the queue is full or the database is unavailable. */
  post(queued: QueuedPosting<Claim, Answer>): Promise<Answer>;
  /** Whether a request was posted a moment ago; large jobs then slow down. */
  isBusy(): boolean;
}

/** A claim and the answer to its request. */
export interface AnsweredRequest<Claim, Answer> {
  readonly claim: Claim;
  readonly answer: Answer;
}

/** Storage of claims, so that a repeated request is posted once; all calls are within the transaction of the batch. */
export interface ClaimStore<Claim, Answer> {
  /** Locks claims until the transaction ends, always in the same order. Sent before the balances are locked. */
  lock(tx: Tx, claims: readonly Claim[]): Promise<unknown>;
  /** Returns the stored answer of each claim, in their order; undefined: there is none yet. Sent after the locks. */
  readAnswers(tx: Tx, claims: readonly Claim[]): Promise<(Answer | Problem | undefined)[]>;
  /** Stores the answers that repeated requests get. */
  storeAnswers(tx: Tx, answered: readonly AnsweredRequest<Claim, Answer>[]): Promise<unknown>;
  /** Returns the name of a claim. Claims with the same name never run in the same batch. */
  nameOf(claim: Claim): string;
  /** Whether two claims with the same name belong to the same request. */
  isSameRequest(a: Claim, b: Claim): boolean;
  /** Returns the answer to a repeated request that arrived while the first one, now answered, was running. */
  repeatAnswer(claim: Claim, answer: Answer): Answer | Problem;
}
