import { hash } from "node:crypto";

/** Leaves per tile. Full subtrees of 256 leaves, of 256 such tiles, and so on, are stored. */
export const TILE_LEAVES = 256;
const TILE_HEIGHT = 8;

const HASH_BYTES = 32;
/** Large enough for most leaves. */
const LEAF_BYTES = 4_096;
const leafMessage = Buffer.alloc(LEAF_BYTES); // written anew each time: nothing here waits
const nodeMessage = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** Returns the hash as a string with one character per byte, which takes a third of the time of a buffer. */
function sha256(message: Uint8Array): string {
  return hash("sha256", message, "binary");
}

/** RFC 6962, 2.1: returns the hash of a leaf, given as text or as its UTF-8 bytes. */
export function leafHash(leaf: string | Uint8Array): Buffer {
  return Buffer.from(leafHashText(leaf), "latin1");
}

function leafHashText(leaf: string | Uint8Array): string {
  const bytesMax = typeof leaf === "string" ? leaf.length * 3 : leaf.length;
  const message = 1 + bytesMax > LEAF_BYTES ? Buffer.alloc(1 + bytesMax) : leafMessage;
  if (typeof leaf !== "string") message.set(leaf, 1);
  return sha256(message.subarray(0, 1 + (typeof leaf === "string" ? message.write(leaf, 1, "utf8") : leaf.length)));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES)
    return Buffer.from(sha256(Buffer.concat([Buffer.of(1), left, right])), "latin1");
  nodeMessage.set(left, 1);
  nodeMessage.set(right, 1 + HASH_BYTES);
  return Buffer.from(sha256(nodeMessage), "latin1");
}

/** The root of a tree without leaves according to RFC 6962. */
export const EMPTY_ROOT: Buffer = hash("sha256", Buffer.alloc(0), "buffer");

/** Returns the largest power of two below `count`, which is at least 2: the position at which a tree of `count` leaves is split. */
export function splitOf(count: bigint): bigint {
  return 1n << BigInt((count - 1n).toString(2).length - 1);
}

/** Returns the height of the stored subtree with exactly these leaves: 8, 16, 24, ...; null: there is no such subtree. */
export function storedHeight(from: bigint, to: bigint): number | null {
  const count = to - from;
  const height = count.toString(2).length - 1;
  const isStored = height >= TILE_HEIGHT && height % TILE_HEIGHT === 0 && 1n << BigInt(height) === count;
  return isStored && from % count === 0n ? height : null;
}

/** Returns the root over hashes of leaves, or of full subtrees of equal size. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const range = createRange();
  for (const each of hashes) range.append(each);
  return range.root();
}

/** A tree to which leaves are appended; it stores one hash per bit of their number. */
export interface GrowingTree {
  append(leaf: Buffer): void;
  count(): bigint;
  root(): Buffer;
}

export function createRange(): GrowingTree {
  const peaks: Buffer[] = [];
  let count = 0n;
  return {
    append(leaf) {
      let node = leaf;
      for (let rest = count; rest & 1n; rest >>= 1n) node = nodeHash(peaks.pop() ?? EMPTY_ROOT, node);
      peaks.push(node);
      count++;
    },
    count: () => count,
    root() {
      const last = peaks.at(-1);
      if (last === undefined) return EMPTY_ROOT;
      return peaks.slice(0, -1).reduceRight<Buffer>((right, left) => nodeHash(left, right), last);
    },
  };
}

/** Computes full tiles one after the other from leaves in order, without allocating: for a pass over a whole log. */
export interface TileWalk {
  /** Returns the hash of the tile that this leaf completes; null: the tile is not full yet. */
  append(leaf: Uint8Array): Buffer | null;
}

export function createTileWalk(): TileWalk {
  const hashes = Buffer.alloc(TILE_LEAVES * HASH_BYTES);
  let count = 0;
  return {
    append(leaf) {
      hashes.write(leafHashText(leaf), count++ * HASH_BYTES, "latin1");
      if (count < TILE_LEAVES) return null;
      for (; count > 1; count /= 2) {
        for (let n = 0; n < count / 2; n++) {
          hashes.copy(nodeMessage, 1, n * 2 * HASH_BYTES, (n + 1) * 2 * HASH_BYTES);
          hashes.write(sha256(nodeMessage), n * HASH_BYTES, "latin1");
        }
      }
      count = 0;
      return Buffer.from(hashes.subarray(0, HASH_BYTES));
    },
  };
}

/** Returns the root computed from a leaf and the hashes of its path; null: there are too few or too many of them. */
export function rootFromPath(
  leaf: Buffer,
  { index, size, path }: { readonly index: bigint; readonly size: bigint; readonly path: readonly Buffer[] },
): Buffer | null {
  if (index < 0n || index >= size) return null;
  let node = leaf;
  let at = index;
  let last = size - 1n;
  for (const beside of path) {
    if (last === 0n) return null;
    if (at & 1n || at === last) {
      node = nodeHash(beside, node);
      while (!(at & 1n) && at !== 0n) {
        at >>= 1n;
        last >>= 1n;
      }
    } else node = nodeHash(node, beside);
    at >>= 1n;
    last >>= 1n;
  }
  return last === 0n ? node : null;
}
