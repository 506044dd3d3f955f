import type { Deps } from "../../deps.ts";
import { chainHashOf } from "../key/ledger-key.ts";
import type { Allotment, CustomerChange } from "../posting.ts";
import type { BalancePostings, BatchContext } from "../queue/posting-batch.ts";
import { CHAIN_START, type ChainHash, factsText, NOTE_SALT_BYTES, noteDigest } from "./chain.ts";

/** An allotment as it is written, with its link to the previous one. */
export interface ChainedAllotment {
  readonly allotment: Allotment;
  /** null: the customer's chain does not reach this allotment yet (`link-chains.ts`). */
  readonly link: bigint | null;
  readonly noteDigest: Buffer | null;
  readonly salt: Buffer | null;
}

/** A change, and the state of its balance's chain after it. */
export interface ChainedChange extends CustomerChange {
  readonly chained: readonly ChainedAllotment[];
  readonly chainedVersion: bigint;
  readonly chainHead: Buffer | null;
}

/**
 * Links new allotments to the head that was read under the lock of their balance. If the chain is behind the balance, because a node of a
 * previous version posted or the store has no key yet, it stays where it is: the worker links the customer later.
 */
export function chainChanges(
  deps: Pick<Deps, "random" | "secretBox">,
  groups: readonly BalancePostings[],
  changes: readonly CustomerChange[],
  { key, programVersion }: Pick<BatchContext, "key" | "programVersion">,
): ChainedChange[] {
  const chain = changes.some(({ allotments }) => allotments.length > 0) ? chainHashOf(deps, key) : null;
  return changes.map((change, i) => {
    const before = groups[i]?.before;
    if (before === undefined) throw new Error("a change has no balance");
    const isChained = chain !== null && before.chainedVersion === before.version;
    return chainChange(deps, change, { ...before, chain: isChained ? chain : null, programVersion });
  });
}

function chainChange(
  { random }: Pick<Deps, "random">,
  change: CustomerChange,
  before: {
    readonly chain: ChainHash | null;
    readonly chainedVersion: bigint;
    readonly chainHead: Buffer | null;
    readonly programVersion: number;
  },
): ChainedChange {
  const { chain, programVersion } = before;
  let { chainedVersion, chainHead } = before;
  const chained = change.allotments.map((allotment): ChainedAllotment => {
    const { note, actor } = allotment.posting;
    const salt = note === null && actor === null ? null : random.bytes(NOTE_SALT_BYTES);
    const digest = salt === null ? null : noteDigest(salt, note, actor);
    if (chain === null) return { allotment, link: null, noteDigest: digest, salt };
    const { customerUid } = change.after;
    const facts = factsText(allotment, { customerUid, programVersion, noteDigest: digest });
    const { head, link } = chain(chainHead ?? CHAIN_START, facts);
    chainHead = head;
    chainedVersion = allotment.version;
    return { allotment, link, noteDigest: digest, salt };
  });
  return { ...change, chained, chainedVersion, chainHead };
}
