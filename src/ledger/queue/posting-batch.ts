import type { Deps } from "../../deps.ts";
import type { ActiveTopics } from "../../webhooks/read-active-topics.ts";
import type { LockedBalance } from "../balance-queries.ts";
import type { CustomerRef } from "../customer-ref.ts";
import type { ExpiryRules } from "../expiry/expiry.ts";
import type { HoldEnd } from "../holds/hold.ts";
import type { LedgerKeyRow } from "../key/ledger-key.ts";
import type { CustomerChange, Outcome, Posting } from "../posting.ts";

/** The parts of `Deps` that posting needs. */
export type PostingDeps = Pick<Deps, "clock" | "random" | "wake" | "config" | "secretBox">;

/** A posting with the customer whose balance it changes. */
export interface CustomerPosting {
  readonly customer: CustomerRef;
  readonly posting: Posting;
}

/** The data that a batch reads after its locks and that its decisions share. */
export interface BatchContext {
  readonly rules: ExpiryRules;
  readonly programVersion: number;
  readonly watermarkAt: Temporal.Instant | null;
  readonly topics: ActiveTopics;
  /** The key of the chains. */
  readonly key: LedgerKeyRow;
  /** The caller only commits after the writes, so they need not be awaited. */
  readonly isLast?: boolean;
}

/** The postings of one balance, in order. Without postings, only points that are due to expire are written off. */
export interface BalancePostings {
  readonly before: LockedBalance;
  readonly postings: readonly Posting[];
  /** Holds that this batch ends; holds that are over end by themselves. */
  readonly holdEnds?: readonly HoldEnd[];
}

/** The postings of one balance, with their positions in the caller's list. */
export interface PostingGroup extends BalancePostings {
  readonly postings: Posting[];
  readonly positions: number[];
}

/** Groups postings by balance, in lock order. Locked balances without postings are left out. */
export function groupPostings(
  locked: readonly LockedBalance[],
  postings: readonly CustomerPosting[],
): readonly PostingGroup[] {
  const asked = new Map<string, Omit<PostingGroup, "before">>();
  postings.forEach(({ customer, posting }, position) => {
    const known = asked.get(customer.customerUid);
    if (known === undefined) asked.set(customer.customerUid, { postings: [posting], positions: [position] });
    else {
      known.postings.push(posting);
      known.positions.push(position);
    }
  });
  const groups = locked.flatMap((before) => {
    const own = asked.get(before.customerUid);
    return own === undefined ? [] : [{ before, postings: own.postings, positions: own.positions }];
  });
  if (groups.length !== asked.size) {
    for (const { customerUid } of locked) asked.delete(customerUid);
    throw new Error(`customers have no balance: ${[...asked.keys()].join(", ")}`);
  }
  return groups;
}

/** Returns one outcome per posting, in the caller's order. `changes` has one entry per group. */
export function outcomesInOrder(groups: readonly PostingGroup[], changes: readonly CustomerChange[]): Outcome[] {
  const outcomes: Outcome[] = [];
  groups.forEach(({ positions }, g) => {
    positions.forEach((at, i) => {
      const outcome = changes[g]?.outcomes[i];
      if (outcome === undefined) throw new Error("a posting has no outcome");
      outcomes[at] = outcome;
    });
  });
  return outcomes;
}
