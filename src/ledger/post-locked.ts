import type { Tx } from "../db/pool.ts";
import { type CustomerInput, type DecisionContext, decidePostings, NO_LOTS_READ } from "./decide-postings.ts";
import type { LockedBalance } from "./lock-balances.ts";
import { NEED_LOTS } from "./lot-burner.ts";
import type { CustomerChange, LotWindow, Outcome, Posting } from "./posting.ts";
import type { BatchContext, CustomerPosting, PostingDeps } from "./posting-batch.ts";
import { publishChanges } from "./publish-changes.ts";
import { readCounted } from "./read-counted.ts";
import { readDraws } from "./read-draws.ts";
import { type NamedLots, readLots } from "./read-lots.ts";
import { writeChanges } from "./write-changes.ts";

const FIRST_WINDOW = 64;
const WINDOW_GROWTH = 16;

/** Decides and writes postings of balances that this transaction has locked: the rest of `postAllotments`. */
export async function postLocked(
  tx: Tx,
  deps: PostingDeps,
  locked: readonly LockedBalance[],
  postings: readonly CustomerPosting[],
  context: BatchContext,
): Promise<Outcome[]> {
  const groups = groupByCustomer(locked, postings);
  const changes = await decideGroups(tx, deps, groups, context);
  await writeChanges(tx, changes, context.programVersion);
  await publishChanges(tx, deps, changes, context);
  const outcomes: Outcome[] = [];
  for (const [g, group] of groups.entries()) {
    for (const [i, at] of group.positions.entries()) {
      const outcome = changes[g]?.outcomes[i];
      if (outcome === undefined) throw new Error("a posting has no outcome");
      outcomes[at] = outcome;
    }
  }
  return outcomes;
}

interface Group {
  readonly before: LockedBalance;
  readonly postings: Posting[];
  /** Where each posting stood in the caller's list. */
  readonly positions: number[];
}

function groupByCustomer(locked: readonly LockedBalance[], postings: readonly CustomerPosting[]): Group[] {
  const groups = new Map<string, Group>(
    locked.map((before) => [before.customerUid, { before, postings: [], positions: [] }]),
  );
  for (const [position, { customer, posting }] of postings.entries()) {
    const group = groups.get(customer.customerUid);
    if (group === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
    group.postings.push(posting);
    group.positions.push(position);
  }
  return [...groups.values()].filter((group) => group.postings.length > 0);
}

async function decideGroups(
  tx: Tx,
  deps: PostingDeps,
  groups: readonly Group[],
  context: BatchContext,
): Promise<CustomerChange[]> {
  const burning = groups.filter((group) => group.postings.some(mayBurn));
  const [counted, windows, drawsOf] = await Promise.all([
    readCounted(
      tx,
      groups.flatMap((group) => group.postings),
    ),
    readLots(
      tx,
      burning.map((group) => group.before),
      namedLots(burning),
      FIRST_WINDOW,
    ),
    readDraws(tx, groups.flatMap(returnedDeductions)),
  ]);
  const decision: DecisionContext = {
    now: deps.clock.now(),
    floorAt: context.floorAt,
    rules: context.rules,
    counted,
    nextUid: deps.random.uid,
  };
  const changes: CustomerChange[] = [];
  for (const group of groups) {
    const { before, postings } = group;
    const input = { before, postings, drawsOf: drawsOf.get(before.customerUid) ?? new Map() };
    changes.push(await decideGroup(tx, group, input, windows.get(before.customerUid), decision));
  }
  return changes;
}

/** Decides one customer, reading ever larger windows of its lots until they suffice. Its balance is locked all the while. */
async function decideGroup(
  tx: Tx,
  group: Group,
  input: Omit<CustomerInput, "lots">,
  first: LotWindow | undefined,
  decision: DecisionContext,
): Promise<CustomerChange> {
  let lots = first ?? NO_LOTS_READ;
  for (let size = first === undefined ? FIRST_WINDOW : FIRST_WINDOW * WINDOW_GROWTH; ; size *= WINDOW_GROWTH) {
    const change = decidePostings({ ...input, lots }, decision);
    if (change !== NEED_LOTS) return change;
    const windows = await readLots(tx, [group.before], namedLots([group]), size);
    lots = windows.get(group.before.customerUid) ?? NO_LOTS_READ;
  }
}

function mayBurn({ change }: Posting): boolean {
  return change.kind === "set" || (change.kind === "add" && change.pointValue < 0n);
}

function namedLots(groups: readonly Group[]): NamedLots[] {
  return groups.flatMap(({ before, postings }) =>
    postings.flatMap((posting) => posting.drawFirst.map((version) => ({ ...before, version }))),
  );
}

function returnedDeductions({ before, postings }: Group): NamedLots[] {
  return postings.flatMap(({ change }) =>
    change.kind === "give_back" ? [{ ...before, version: change.ofVersion }] : [],
  );
}
