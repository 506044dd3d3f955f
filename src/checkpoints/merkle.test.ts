import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createRange,
  createTileWalk,
  leafHash,
  nodeHash,
  rootFromPath,
  rootOf,
  splitOf,
  storedHeight,
  TILE_LEAVES,
} from "./merkle.ts";

/** RFC 6962, 2.1 to the letter. */
function mth(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash("sha256").digest();
  if (leaves.length === 1) return leaves[0] ?? Buffer.alloc(0);
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeHash(mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

function path(m: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return [];
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1));
  if (m < k) return [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))];
  return [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))];
}

const leaves = Array.from({ length: 300 }, (_, i) => leafHash(`leaf ${i}`));

test("roots are those of the known vectors of RFC 6962", () => {
  const hex = (text: string) => createHash("sha256").update(Buffer.from(text, "hex")).digest("hex");
  expect(leafHash("").toString("hex")).toBe(hex("00"));
  expect(leafHash("").toString("hex")).toBe("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  expect(rootOf([]).toString("hex")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("a growing tree has the root of RFC 6962 at every size", () => {
  const range = createRange();
  for (const [i, leaf] of leaves.entries()) {
    range.append(leaf);
    if (i < 70 || i > 250) expect(range.root()).toEqual(mth(leaves.slice(0, i + 1)));
  }
});

test("a walk gives each full tile with its last leaf, one after the other", () => {
  const texts = Array.from({ length: 2 * TILE_LEAVES + 3 }, (_, i) => Buffer.from(`leaf ${i}`));
  const walk = createTileWalk();
  const found = texts.map((text) => walk.append(text));
  const hashes = texts.map(leafHash);
  const tiles = [mth(hashes.slice(0, TILE_LEAVES)), mth(hashes.slice(TILE_LEAVES, 2 * TILE_LEAVES))];
  expect(found.filter((tile) => tile !== null)).toEqual(tiles);
  expect(found.findIndex((tile) => tile !== null)).toBe(TILE_LEAVES - 1);
});

test("a path leads from its leaf, at its index and size, to the root, and from nowhere else", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, any) => {
      const index = any % size;
      const beside = path(index, leaves.slice(0, size));
      const leaf = leaves[index] ?? Buffer.alloc(0);
      const root = mth(leaves.slice(0, size));
      const from = (at: number) => rootFromPath(leaf, { index: BigInt(at), size: BigInt(size), path: beside });
      expect(from(index)).toEqual(root);
      if (size > 1) expect(from((index + 1) % size)).not.toEqual(root);
      expect(rootFromPath(leaf, { index: BigInt(index), size: BigInt(size), path: [...beside, leaf] })).toBeNull();
    }),
  );
});

test("a tree is split at the largest power of two below its size", () => {
  expect([2n, 3n, 4n, 5n, 256n, 257n].map(splitOf)).toEqual([1n, 2n, 2n, 4n, 128n, 256n]);
});

test("subtrees of 256 leaves, 65,536, ... at their places are stored, others not", () => {
  expect(storedHeight(256n, 512n)).toBe(8);
  expect(storedHeight(0n, 65_536n)).toBe(16);
  expect(storedHeight(128n, 384n)).toBeNull();
  expect(storedHeight(0n, 512n)).toBeNull();
  expect(storedHeight(0n, 1n)).toBeNull();
});
