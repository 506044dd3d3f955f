import { expect, test } from "vitest";
import { CHAIN_START, createChainHash, HEAD_BYTES } from "../ledger/chain/chain.ts";
import { FACTS_COLUMNS, FIELD } from "../ledger/chain/facts-bytes.ts";
import { createFactsHasher, type TileHasher } from "./create-facts-hasher.ts";
import { leafHash, rootOf, TILE_LEAVES } from "./merkle.ts";

const KEY = Buffer.alloc(32, 7);
const CUSTOMERS = 5;
const TILES = 20;
const AT = Temporal.Instant.from("2026-03-01T00:00:00Z");
const US_2000 = (AT.epochMilliseconds - Date.UTC(2000)) * 1_000;
const UID = Buffer.from("0195f3c2a1b07c3e9d4f5a6b7c8d9e0f", "hex");

/** A row with the time and the uid that a hasher reads. */
function row() {
  const bytes = Buffer.alloc(24);
  bytes.writeBigInt64BE(BigInt(US_2000), 0);
  UID.copy(bytes, 8);
  const starts = new Int32Array(FACTS_COLUMNS.length);
  starts[FIELD.uid] = 8;
  return { bytes, starts, lengths: new Int32Array(FACTS_COLUMNS.length) };
}

/** Facts for several pieces, one of them longer than a piece. */
const FACTS = Array.from({ length: TILES * TILE_LEAVES + 3 }, (_, i) =>
  Buffer.from(`["allotment",${i},"${"x".repeat(i === 700 ? 300_000 : i % 900)}"]`),
);

function give(hasher: TileHasher, facts: Buffer, customer: number): void {
  const out = hasher.room(facts.length);
  out.at += facts.copy(out.bytes, out.at);
  hasher.add(customer, row());
}

function node(n: number, hash: Buffer) {
  return { height: 8, n: BigInt(n), hash, last: { id: null, at: AT, uid: "0195f3c2-a1b0-7c3e-9d4f-5a6b7c8d9e0f" } };
}

test("a hasher's chains and tiles are those of the facts, in their order", async () => {
  const hasher = createFactsHasher();
  try {
    hasher.start({ customers: CUSTOMERS, chainKey: KEY });
    for (const [i, facts] of FACTS.entries()) {
      give(hasher, facts, i % CUSTOMERS);
      await hasher.drain();
    }
    const heads = await hasher.end();
    const chain = createChainHash(KEY);
    const own = Array.from({ length: CUSTOMERS }, () => CHAIN_START);
    for (const [i, facts] of FACTS.entries()) own[i % CUSTOMERS] = chain(own[i % CUSTOMERS] ?? CHAIN_START, facts).head;
    expect(heads.toString("hex")).toBe(Buffer.concat(own).toString("hex"));
    expect(heads.length).toBe(CUSTOMERS * HEAD_BYTES);
    const hashes = Array.from({ length: TILES }, (_, n) =>
      rootOf(FACTS.slice(n * TILE_LEAVES, (n + 1) * TILE_LEAVES).map(leafHash)),
    );
    expect(hashes.map((hash, n) => hasher.isSame(node(n, hash)))).toEqual(hashes.map(() => true));
    expect(hasher.isSame(node(1, hashes[0] ?? CHAIN_START))).toBe(false);
    expect(hasher.isSame(node(TILES, hashes[0] ?? CHAIN_START))).toBe(false);
  } finally {
    await hasher.close();
  }
});

test("a hasher that failed says so, and does not wait for ever", async () => {
  const hasher = createFactsHasher();
  try {
    hasher.start({ customers: 1, chainKey: KEY });
    give(hasher, Buffer.from("facts"), 3); // there is no such customer
    await expect(hasher.end()).rejects.toThrow();
  } finally {
    await hasher.close();
  }
});
