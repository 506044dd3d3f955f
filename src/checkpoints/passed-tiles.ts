import type { TakeLeaf } from "../ledger/pass-allotments.ts";
import type { TreeNode } from "./checkpoint-queries.ts";
import { createTileWalk } from "./merkle.ts";

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
  const walk = createTileWalk();
  return {
    takeLeaf(facts, { us, uid }) {
      const hash = walk.append(facts);
      if (hash !== null) tiles.push({ hash, lastUs: us, lastUid: Buffer.from(uid).toString("hex") });
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
