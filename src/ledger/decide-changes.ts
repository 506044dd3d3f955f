import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { decidePostings } from "./decide-postings.ts";
import { joinEnds } from "./holds/hold.ts";
import { readEndedHolds } from "./holds/hold-queries.ts";
import { type NamedLots, readDraws, selectFirstLots, selectLotsByKind } from "./lots/lot-queries.ts";
import {
  type CustomerChange,
  type CustomerInput,
  type DecisionContext,
  NO_LOTS_READ,
  type Posting,
} from "./posting.ts";
import { readCounted } from "./queue/batch-queries.ts";
import type { BalancePostings, BatchContext } from "./queue/posting-batch.ts";

const FIRST_WINDOW = 64;
const WINDOW_GROWTH = 16;
const NO_DRAWS: CustomerInput["drawsOf"] = new Map();

/**
 * Decides postings of balances and writes nothing. The balances are locked by this transaction, or the transaction is a read-only snapshot.
 * Returns one change per group, in their order.
 */
export async function decideChanges(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  groups: readonly BalancePostings[],
  context: BatchContext,
): Promise<CustomerChange[]> {
  const now = deps.clock.now();
  const burning = groups.filter(({ postings }) => postings.length === 0 || postings.some(mayBurn));
  const [counted, windows, drawsOf, over] = await Promise.all([
    readCounted(
      tx,
      groups.flatMap(({ postings }) => postings),
    ),
    selectFirstLots(tx, { refs: burning.map(({ before }) => before), named: namedLots(burning), size: FIRST_WINDOW }),
    readDraws(tx, groups.flatMap(returnedDeductions)),
    readEndedHolds(
      tx,
      groups.map(({ before }) => before),
      now,
    ),
  ]);
  const decision: DecisionContext = {
    now,
    watermarkAt: context.watermarkAt,
    rules: context.rules,
    counted,
    nextUid: deps.random.uid,
  };
  const changes: CustomerChange[] = [];
  for (const each of groups) {
    const { before, postings } = each;
    const { customerUid } = before;
    const first = windows.get(customerUid);
    const input: CustomerInput = {
      before,
      postings,
      lots: first ?? NO_LOTS_READ,
      drawsOf: drawsOf.get(customerUid) ?? NO_DRAWS,
      drawsOfMerged: drawsOf,
      holdEnds: joinEnds(over.get(customerUid), each.holdEnds),
    };
    const change = decidePostings(input, decision);
    changes.push(change ?? (await decideWithMore(tx, each, input, decision)));
  }
  return changes;
}

/** Decides one customer, reading larger and larger windows of its lots, all from one moment, until they suffice. */
async function decideWithMore(
  tx: Tx,
  group: BalancePostings,
  input: CustomerInput,
  decision: DecisionContext,
): Promise<CustomerChange> {
  for (let size = FIRST_WINDOW; ; size *= WINDOW_GROWTH) {
    const windows = await selectLotsByKind(tx, { refs: [group.before], named: namedLots([group]), size });
    const lots = windows.get(group.before.customerUid) ?? NO_LOTS_READ;
    const change = decidePostings({ ...input, lots }, decision);
    if (change !== null) return change;
  }
}

function mayBurn({ change }: Posting): boolean {
  return change.kind === "set" || change.kind === "close" || (change.kind === "add" && change.pointValue < 0n);
}

function namedLots(groups: readonly BalancePostings[]): NamedLots[] {
  return groups.flatMap(({ before, postings }) =>
    postings.flatMap((posting) => posting.drawFirst.map((version) => ({ ...before, version }))),
  );
}

function returnedDeductions({ before, postings }: BalancePostings): NamedLots[] {
  return postings.flatMap(({ change }) =>
    change.kind === "give_back" ? [{ ...(change.of ?? before), version: change.ofVersion }] : [],
  );
}
