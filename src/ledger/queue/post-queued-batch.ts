import type { Tx } from "../../db/pool.ts";
import { Problem } from "../../problems.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { lockBalancesByStorefrontId, type NamedBalance } from "../balance-queries.ts";
import { changeBalances } from "../change-balances.ts";
import { balanceExpiry } from "../expiry/expiry.ts";
import type { Outcome } from "../posting.ts";
import { readBatchContext } from "./batch-queries.ts";
import {
  type BatchContext,
  type CustomerPosting,
  groupPostings,
  outcomesInOrder,
  type PostingDeps,
} from "./posting-batch.ts";
import type { AnsweredRequest, ClaimStore, QueuedOutcome, QueuedPosting } from "./queued-posting.ts";

/**
 * Runs one batch of the posting queue in one transaction. Idempotency keys, then balances are locked in order; claims with a stored answer get it
 * again; the rest is posted, and its answers are stored in the same transaction. With `retried`, an earlier try of the batch may have committed
 * before its connection broke: postings that are found under the locks are answered with their outcome.
 */
export async function postQueuedBatch<Claim, Answer>(
  tx: Tx,
  deps: PostingDeps,
  batch: readonly QueuedPosting<Claim, Answer>[],
  { claims: store, retried }: { readonly claims: ClaimStore<Claim, Answer>; readonly retried: boolean },
): Promise<(Answer | Problem)[]> {
  const ids = [...new Set(batch.map((queued) => queued.storefrontId))];
  const claims = batch.flatMap(({ claim }) => claim ?? []);
  // Sent together and run in this order; each sees what the locks before it protect.
  const [, , named, context, stored, posted] = await Promise.all([
    claims.length === 0 ? undefined : store.lock(tx, claims),
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockBalancesByStorefrontId(tx, ids),
    readBatchContext(tx),
    claims.length === 0 ? [] : store.readAnswers(tx, claims),
    retried ? readPosted(tx, batch) : new Map<string, PostedRow>(),
  ]);
  const balances = new Map(named.map((balance) => [balance.storefrontId, balance]));
  const locked = [...new Map(named.map((balance) => [balance.customerUid, balance])).values()];
  const earlier = new Map(batch.filter(({ claim }) => claim !== null).map((queued, i) => [queued, stored[i]]));
  const answers = batch.map((queued) => earlier.get(queued));
  const open = batch.flatMap((queued, i) =>
    answers[i] === undefined ? [{ queued, i, at: place(queued, balances, posted) }] : [],
  );
  const toPost = open.filter((each) => each.at.kind === "post");
  const groups = groupPostings(
    locked,
    toPost.map(({ queued, at }) => customerPosting(queued, at)),
  );
  const outcomes = outcomesInOrder(groups, await changeBalances(tx, deps, groups, { ...context, isLast: true }));
  const outcomeOf = new Map(toPost.map(({ queued }, n) => [queued, outcomes[n]]));

  const answered: AnsweredRequest<Claim, Answer>[] = [];
  for (const { queued, i, at } of open) {
    const shownId = balances.get(queued.storefrontId)?.shownId ?? queued.storefrontId;
    const answer = queued.render(finalOutcome(at, outcomeOf.get(queued), context), context.rules, shownId);
    answers[i] = answer;
    if (queued.claim !== null) answered.push({ claim: queued.claim, answer });
  }
  if (answered.length > 0) tx.atCommit(store.storeAnswers(tx, answered));
  return answers.map((answer) => answer ?? new Problem("internal"));
}

/** What to do with a posting once the locks are held. */
type Place =
  | { readonly kind: "post"; readonly balance: NamedBalance }
  | { readonly kind: "posted_before"; readonly row: PostedRow; readonly balance: NamedBalance | undefined }
  | { readonly kind: "unknown" };

function place(
  queued: QueuedPosting<unknown, unknown>,
  balances: ReadonlyMap<string, NamedBalance>,
  posted: ReadonlyMap<string, PostedRow>,
): Place {
  const balance = balances.get(queued.storefrontId);
  const row = posted.get(queued.posting.uid);
  if (row !== undefined) return { kind: "posted_before", row, balance }; // the customer may have been deleted since
  return balance === undefined ? { kind: "unknown" } : { kind: "post", balance };
}

function customerPosting(queued: QueuedPosting<unknown, unknown>, at: Place): CustomerPosting {
  if (at.kind !== "post") throw new Error("only open postings are posted");
  return { customer: at.balance, posting: queued.posting };
}

function finalOutcome(at: Place, outcome: Outcome | undefined, context: BatchContext): QueuedOutcome {
  if (at.kind === "unknown") return { kind: "refused", code: "customer_not_found" };
  if (at.kind === "posted_before") {
    const { uid, version, pointValue, allottedAt, points } = at.row;
    // The date and the debt are the present ones: their values right after the posting are not stored. A deleted customer has neither.
    const owed = at.balance?.owedPoints ?? 0n;
    const expiresAt = at.balance === undefined ? null : balanceExpiry(at.balance, context.rules);
    const balance = { points, owed, expiresAt, version };
    return { kind: "posted", uid, version, pointValue, allottedAt, balance };
  }
  if (outcome?.kind === "posted" || outcome?.kind === "refused") return outcome;
  throw new Error(`a request's own posting came to ${outcome?.kind}`);
}

interface PostedRow {
  uid: string;
  version: bigint;
  pointValue: bigint;
  allottedAt: Temporal.Instant;
  /** Points available right after it, as its first answer would have said. */
  points: bigint;
}

// A debt is taken right after an award and belongs to its answer (decide-postings). The held points of that time follow from the holds' times.
const READ_POSTED = `select a.uid,
  a.version,
  a.point_value as "pointValue",
  a.allotted_at as "allottedAt",
  greatest(0, coalesce(d.balance_after, a.balance_after) - coalesce((
    select sum(r.point_value)
    from reservation r
    where r.bucket = a.bucket
      and r.customer_uid = a.customer_uid
      and r.held_at <= a.allotted_at
      and coalesce(r.ended_at, 'infinity') > a.allotted_at
      and coalesce(r.expires_at, 'infinity') > a.allotted_at), 0))::bigint as points
from allotment a
left join allotment d on d.bucket = a.bucket
  and d.customer_uid = a.customer_uid
  and d.version = a.version + 1
  and d.source_key = 'owed/' || a.uid
where a.uid = any($1)`;

async function readPosted(tx: Tx, batch: readonly QueuedPosting<unknown, unknown>[]): Promise<Map<string, PostedRow>> {
  const rows = await tx.query<PostedRow>(READ_POSTED, [batch.map(({ posting }) => posting.uid)]);
  return new Map(rows.map((row) => [row.uid, row]));
}
