import type { TakeLeaf } from "../ledger/pass-allotments.ts";
import type { TreeNode } from "./checkpoint-queries.ts";
import { createRange, leafHash, TILE_LEAVES } from "./merkle.ts";

/** The full tiles of the allotments' tree, made from leaves that a pass over the whole log gives one after the other. */
export interface PassedTiles {
  readonly takeLeaf: TakeLeaf;
  /** Whether a stored tile, its hash and the place of its last leaf, is the one that the leaves make. */
  isSame(node: TreeNode): boolean;
}

interface Tile {
  readonly hash: Buffer;
  /** Microseconds since 2000. */
  readonly lastUs: number;
  readonly lastUid: string;
}

const EPOCH_US = BigInt(Date.UTC(2000)) * 1_000n;

export function createPassedTiles(): PassedTiles {
  const tiles: Tile[] = [];
  let range = createRange();
  let count = 0;
  return {
    takeLeaf(facts, { us, uid }) {
      range.append(leafHash(facts));
      count++;
      if (count < TILE_LEAVES) return;
      tiles.push({ hash: range.root(), lastUs: us, lastUid: Buffer.from(uid).toString("hex") });
      range = createRange();
      count = 0;
    },
    isSame({ n, hash, last }) {
      const tile = tiles[Number(n)];
      return (
        tile?.hash.equals(hash) === true &&
        last?.uid?.replaceAll("-", "") === tile.lastUid &&
        last.at !== null &&
        last.at.epochNanoseconds === (BigInt(tile.lastUs) + EPOCH_US) * 1_000n
      );
    },
  };
}
