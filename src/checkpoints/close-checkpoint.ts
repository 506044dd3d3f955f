import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { LedgerKey } from "../ledger/key/ledger-key.ts";
import { readLedgerKey } from "../ledger/key/ledger-key-queries.ts";
import { readSettledMark } from "../ledger/settled-mark/read-settled-mark.ts";
import { formatInstant } from "../time/store-time.ts";
import {
  advanceAuditMark,
  insertCheckpoint,
  insertNodes,
  type Leaf,
  type LeafLog,
  type LeafPlace,
  LOGS,
  pruneCheckpoints,
  selectLeaves,
  selectNewestCheckpoint,
  selectNodes,
  type TreeNode,
} from "./checkpoint-queries.ts";
import { EMPTY_ROOT, leafHash, rootOf, TILE_LEAVES } from "./merkle.ts";
import { LOG_END, openTree, TreeBroken } from "./open-tree.ts";
import { type Checkpoint, originOf, readCheckpoint, signCheckpoint, type TreeHead } from "./signed-note.ts";

type CloseDeps = Pick<Deps, "db" | "clock" | "secretBox">;

/** The outcome of a run. `altered`: no checkpoint was signed, with what is wrong. */
export type CloseOutcome =
  | { readonly kind: "closed"; readonly note: string; readonly isMore: boolean }
  | { readonly kind: "unchanged" }
  | { readonly kind: "altered"; readonly found: string };

const TILE = BigInt(TILE_LEAVES);
const BOTTOM = 8;
const HEIGHT = 8n;
/** The maximum number of leaves that one transaction adds to a log. */
const LEAVES_MAX = 100 * TILE_LEAVES;
const PRUNE_EVERY = 500n;
const TRY_LOCK = "select pg_try_advisory_xact_lock(hashtextextended('pointkeeper checkpoints', 0)) as mine";

/** The largest checkpoint that this process signed, by database: if it is missing, somebody removed it. */
const signedHere = new WeakMap<Deps["db"], bigint>();

/**
 * Adds the newly settled rows to the trees of both logs and signs a checkpoint over them, off the write path, on one node at a time and
 * with a limit per run (`isMore`). Before it signs, it recomputes the last checkpoint from the stored data: a log that was shortened or
 * altered is not signed.
 */
export async function closeCheckpoint(deps: CloseDeps): Promise<CloseOutcome> {
  const { settledAt } = await readSettledMark(deps);
  try {
    return await deps.db.tx(async (tx) => {
      const [lock] = await tx.query<{ mine: boolean }>(TRY_LOCK);
      const key = await readLedgerKey(tx, deps);
      if (lock?.mine !== true || key === null) return { kind: "unchanged" };
      return await close(tx, deps, key, { allotments: settledAt, audit: await advanceAuditMark(tx) });
    });
  } catch (error) {
    if (error instanceof TreeBroken) return { kind: "altered", found: error.message };
    throw error;
  }
}

interface Settled {
  readonly allotments: Temporal.Instant | null;
  readonly audit: bigint;
}

async function close(tx: Tx, deps: CloseDeps, key: LedgerKey, settled: Settled): Promise<CloseOutcome> {
  const last = await selectNewestCheckpoint(tx);
  if ((last?.n ?? 0n) < (signedHere.get(deps.db) ?? 0n))
    throw new TreeBroken(`checkpoint ${signedHere.get(deps.db)}, which this process signed, is not there any more`);
  const known = last === undefined ? null : readKnown(last);
  const allotments =
    settled.allotments === null
      ? { head: known?.allotments ?? EMPTY, isMore: false }
      : await grow(tx, LOGS.allotments, known?.allotments ?? EMPTY, settled.allotments);
  const audit = await grow(tx, LOGS.audit, known?.audit ?? EMPTY, settled.audit);
  const isNew = last === undefined || last.keyUid !== key.uid;
  if (!isNew && known !== null && isSame(known, allotments.head, audit.head)) return { kind: "unchanged" };
  const now = deps.clock.now();
  const checkpoint = {
    origin: originOf(key.uid),
    allotments: allotments.head,
    audit: audit.head,
    time: formatInstant(now),
  };
  const note = signCheckpoint(checkpoint, key);
  const n = (last?.n ?? 0n) + 1n;
  const sizes = { allotments: allotments.head.size, entries: audit.head.size };
  await insertCheckpoint(tx, { n, keyUid: key.uid, ...sizes, note, at: now });
  if (n % PRUNE_EVERY === 0n) await pruneCheckpoints(tx, now);
  tx.afterCommit(() => void signedHere.set(deps.db, n));
  return { kind: "closed", note, isMore: allotments.isMore || audit.isMore };
}

const EMPTY: TreeHead = { size: 0n, root: EMPTY_ROOT };

function isSame(known: Checkpoint, allotments: TreeHead, audit: TreeHead): boolean {
  return known.allotments.size === allotments.size && known.audit.size === audit.size;
}

function readKnown({ n, note, publicKey }: { n: bigint; note: string; publicKey: Buffer | null }): Checkpoint {
  const known = publicKey === null ? null : readCheckpoint(note, publicKey);
  if (known === null) throw new TreeBroken(`the signature of checkpoint ${n} does not hold`);
  return known;
}

/** Checks the tree at its last size, adds the newly settled leaves, and returns the head. */
async function grow(
  tx: Tx,
  log: LeafLog,
  known: TreeHead,
  settled: Temporal.Instant | bigint,
): Promise<{ head: TreeHead; isMore: boolean }> {
  // without the mark: another node may have read a later one for the last checkpoint, and what that covers is settled
  const before = openTree(tx, log, LOG_END[log.name]);
  if (!(await before.rootOver(0n, known.size)).equals(known.root))
    throw new TreeBroken(
      `the log ${log.name} is another one than the last checkpoint signed, within its first ${known.size} leaves`,
    );
  const from = await lastPlace(tx, log, known.size / TILE);
  const max = LEAVES_MAX + Number(known.size % TILE);
  const leaves = await selectLeaves(tx, log, { from, settled, max });
  const size = known.size - (known.size % TILE) + BigInt(leaves.length);
  if (size <= known.size) return { head: known, isMore: false };
  await insertNodes(tx, log, await newNodes(tx, log, known.size / TILE, leaves));
  const root = await openTree(tx, log, settled).rootOver(0n, size);
  return { head: { size, root }, isMore: leaves.length === max };
}

/** Returns the position of the last leaf of the full tiles; null: there is no full tile. */
async function lastPlace(tx: Tx, log: LeafLog, tiles: bigint): Promise<LeafPlace | null> {
  if (tiles === 0n) return null;
  const [node] = await selectNodes(tx, log, { height: BOTTOM, from: tiles - 1n, to: tiles });
  if (node === undefined) throw new TreeBroken(`subtree ${tiles - 1n} of the log ${log.name} is not there`);
  return node.last;
}

/** Returns the subtrees that leaves complete, from tile number `first` on. */
async function newNodes(tx: Tx, log: LeafLog, first: bigint, leaves: readonly Leaf[]): Promise<TreeNode[]> {
  const nodes: TreeNode[] = [];
  for (let i = 0; i + TILE_LEAVES <= leaves.length; i += TILE_LEAVES) {
    const tile = leaves.slice(i, i + TILE_LEAVES);
    const { text: _text, ...last } = tile.at(-1) ?? { text: "", at: null, uid: null, id: null };
    nodes.push({
      height: BOTTOM,
      n: first + BigInt(i / TILE_LEAVES),
      hash: rootOf(tile.map(({ text }) => leafHash(text))),
      last,
    });
  }
  let below = nodes;
  for (let height = BOTTOM; below.length > 0; height += BOTTOM) {
    below = await parentsOf(tx, log, height, below);
    nodes.push(...below);
  }
  return nodes;
}

/** Returns the subtrees of the next height whose last part is among these new ones. */
async function parentsOf(tx: Tx, log: LeafLog, height: number, below: readonly TreeNode[]): Promise<TreeNode[]> {
  const parents: TreeNode[] = [];
  for (const { n } of below) {
    if ((n + 1n) % TILE !== 0n) continue;
    const from = n + 1n - TILE;
    const stored = await selectNodes(tx, log, { height, from, to: n + 1n });
    const parts = [...stored, ...below.filter((node) => node.n >= from && node.n <= n)];
    if (parts.length !== TILE_LEAVES)
      throw new TreeBroken(`subtrees ${from} to ${n} of the log ${log.name} are not whole`);
    parents.push({ height: height + BOTTOM, n: n >> HEIGHT, hash: rootOf(parts.map(({ hash }) => hash)), last: null });
  }
  return parents;
}
