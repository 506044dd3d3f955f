import type { Queryable } from "../db/pool.ts";
import { type LeafLog, type LeafPlace, selectLeaves, selectNodes, type TreeNode } from "./checkpoint-queries.ts";
import { EMPTY_ROOT, leafHash, nodeHash, rootOf, splitOf, storedHeight, TILE_LEAVES } from "./merkle.ts";

/** One log's tree up to what is settled: full subtrees are read from their rows, the rest is computed from the log. */
export interface OpenTree {
  /** Returns the root over the leaves from one index up to (not including) another, which must be a subtree of the tree. */
  rootOver(from: bigint, to: bigint): Promise<Buffer>;
  /** Returns the hashes of the path from a leaf up to the root of the tree with `size` leaves (RFC 6962, 2.1.1). */
  pathOf(index: bigint, size: bigint): Promise<Buffer[]>;
  /** Returns the leaves of a tile as they are now. */
  leavesOf(tile: bigint): Promise<readonly TileLeaf[]>;
}

export interface TileLeaf {
  readonly text: string;
  readonly hash: Buffer;
  readonly place: LeafPlace;
}

/** A position after every leaf: what a checkpoint covers is always settled. */
export const LOG_END = {
  allotments: Temporal.Instant.from("9999-12-31T00:00:00Z"),
  audit: 2n ** 63n - 1n,
} as const;

const TILE = BigInt(TILE_LEAVES);
const BOTTOM = 8;
const BLOCK = 256n;

/** Opens the tree of a log in one snapshot. Leaves after `settled` are ignored. */
export function openTree(queryable: Queryable, log: LeafLog, settled: Temporal.Instant | bigint): OpenTree {
  const blocks = new Map<string, Promise<readonly TreeNode[]>>();
  const tiles = new Map<bigint, Promise<readonly TileLeaf[]>>();

  function blockOf(height: number, n: bigint): Promise<readonly TreeNode[]> {
    const from = n - (n % BLOCK);
    const key = `${height}/${from}`;
    const known = blocks.get(key) ?? selectNodes(queryable, log, { height, from, to: from + BLOCK });
    blocks.set(key, known);
    return known;
  }

  async function nodeAt(height: number, n: bigint): Promise<TreeNode> {
    const node = (await blockOf(height, n)).find((each) => each.n === n);
    if (node === undefined)
      throw new TreeBroken(`subtree ${n} of height ${height} of the log ${log.name} is not there`);
    return node;
  }

  async function readTile(tile: bigint): Promise<readonly TileLeaf[]> {
    const from = tile === 0n ? null : (await nodeAt(BOTTOM, tile - 1n)).last;
    const leaves = await selectLeaves(queryable, log, { from, settled, max: TILE_LEAVES });
    return leaves.map(({ text, ...place }) => ({ text, hash: leafHash(text), place }));
  }

  function leavesOf(tile: bigint): Promise<readonly TileLeaf[]> {
    const known = tiles.get(tile) ?? readTile(tile);
    tiles.set(tile, known);
    return known;
  }

  async function rootOver(from: bigint, to: bigint): Promise<Buffer> {
    if (from === to) return EMPTY_ROOT;
    const height = storedHeight(from, to);
    if (height !== null) return (await nodeAt(height, from >> BigInt(height))).hash;
    if (to - from < TILE) {
      const first = from % TILE;
      const leaves = (await leavesOf(from / TILE)).slice(Number(first), Number(first + to - from));
      if (leaves.length !== Number(to - from))
        throw new TreeBroken(`leaf ${from + BigInt(leaves.length)} of the log ${log.name} is not there`);
      return rootOf(leaves.map(({ hash }) => hash));
    }
    const split = from + splitOf(to - from);
    return nodeHash(await rootOver(from, split), await rootOver(split, to));
  }

  async function pathOf(index: bigint, size: bigint): Promise<Buffer[]> {
    const path: Buffer[] = [];
    for (let from = 0n, to = size; to - from > 1n; ) {
      const split = from + splitOf(to - from);
      if (index < split) {
        path.unshift(await rootOver(split, to));
        to = split;
      } else {
        path.unshift(await rootOver(from, split));
        from = split;
      }
    }
    return path;
  }

  return { rootOver, pathOf, leavesOf };
}

/** The stored tree, or the log itself, lacks something that a checkpoint covers. */
export class TreeBroken extends Error {
  override readonly name = "TreeBroken";
}
