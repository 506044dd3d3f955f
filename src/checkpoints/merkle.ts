import { hash } from "node:crypto";

/** Leaves of a tile: the full subtrees of so many, of so many of those, ... are stored. */
export const TILE_LEAVES = 256;
const TILE_HEIGHT = 8;

const HASH_BYTES = 32;
/** Most leaves fit. */
const LEAF_BYTES = 4_096;
const leafMessage = Buffer.alloc(LEAF_BYTES); // written anew each time: nothing here waits
const nodeMessage = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** A character a byte: a result comes fastest as text, in a third of the time of a buffer. */
function sha256(message: Uint8Array): string {
  return hash("sha256", message, "binary");
}

/** RFC 6962, 2.1: the hash of a leaf, a text or its bytes in UTF-8. */
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

/** What RFC 6962 says of a tree without leaves. */
export const EMPTY_ROOT: Buffer = hash("sha256", Buffer.alloc(0), "buffer");

/** The largest power of two below a count of at least 2: where a tree of so many leaves is split. */
export function splitOf(count: bigint): bigint {
  return 1n << BigInt((count - 1n).toString(2).length - 1);
}

/** The height of a stored subtree that spans exactly these leaves: 8, 16, 24, ...; null: it is none. */
export function storedHeight(from: bigint, to: bigint): number | null {
  const count = to - from;
  const height = count.toString(2).length - 1;
  const isStored = height >= TILE_HEIGHT && height % TILE_HEIGHT === 0 && 1n << BigInt(height) === count;
  return isStored && from % count === 0n ? height : null;
}

/** The root over hashes of leaves, or of full subtrees of one size. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const range = createRange();
  for (const each of hashes) range.append(each);
  return range.root();
}

/** A tree while its leaves come, which keeps one hash a bit of their count. */
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

/** Full tiles, one after the other, of leaves that come in order: without any garbage, for a walk over a whole log. */
export interface TileWalk {
  /** The hash of the tile that this leaf is the last of; null: it is not full yet. */
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

/** The root that a leaf and the hashes beside its way up make; null: there are too few or too many of them. */
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
