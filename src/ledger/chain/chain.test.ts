import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createChainAdvance, createChainHash, HEAD_BYTES, noteDigest } from "./chain.ts";

test("a step is HMAC-SHA-256 of the head and the facts: 16 bytes go on, 8 others are shown", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.string({ unit: "grapheme" }), (key, facts) => {
      const head = randomBytes(HEAD_BYTES);
      const mac = createHmac("sha256", key).update(head).update(facts).digest();
      const step = createChainHash(key)(head, facts);
      expect(step.head).toEqual(mac.subarray(0, 16));
      expect(step.link).toBe(mac.readBigInt64BE(24));
    }),
  );
});

test("long facts after short ones, and short ones again", () => {
  const key = randomBytes(32);
  const chain = createChainHash(key);
  const head = randomBytes(HEAD_BYTES);
  for (const facts of ["a", "é".repeat(5_000), "b", "c".repeat(1_400), "d"]) {
    const mac = createHmac("sha256", key).update(head).update(facts).digest();
    expect(chain(head, facts).head).toEqual(mac.subarray(0, 16));
  }
});

test("a head stays what it was when the hash is used again", () => {
  const chain = createChainHash(randomBytes(32));
  const { head } = chain(Buffer.alloc(HEAD_BYTES), "a");
  const before = Buffer.from(head);
  chain(head, "b");
  expect(head).toEqual(before);
});

test("a head among many moves on as it does alone, and no other changes", () => {
  const key = randomBytes(32);
  const [chain, advance] = [createChainHash(key), createChainAdvance(key)];
  const heads = randomBytes(4 * HEAD_BYTES);
  const before = Buffer.from(heads);
  const facts = Buffer.from("é".repeat(3_000));
  for (const text of [Buffer.from("a"), facts, Buffer.from("b")]) {
    const { head } = chain(heads.subarray(2 * HEAD_BYTES, 3 * HEAD_BYTES), text);
    advance(heads, 2 * HEAD_BYTES, text);
    expect(heads).toEqual(Buffer.concat([before.subarray(0, 2 * HEAD_BYTES), head, before.subarray(3 * HEAD_BYTES)]));
  }
});

test("a note without its salt cannot be guessed, and no two notes share a digest by their places", () => {
  const salt = randomBytes(16);
  expect(noteDigest(salt, "a", null)).not.toEqual(noteDigest(randomBytes(16), "a", null));
  expect(noteDigest(salt, "a", null)).not.toEqual(noteDigest(salt, null, "a"));
  expect(noteDigest(salt, "a", null)).toHaveLength(16);
});
