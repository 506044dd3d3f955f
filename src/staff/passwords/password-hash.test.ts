import fc from "fast-check";
import { expect, test } from "vitest";
import { ARGON2, formatPasswordHash, parsePasswordHash, passwordBytes } from "./password-hash.ts";

test("a hash is read back as it was written", () => {
  const bytes = fc.uint8Array({ minLength: 8, maxLength: 64 }).map((part) => Buffer.from(part));
  fc.assert(
    fc.property(bytes, bytes, (salt, tag) => {
      const { memory, passes, parallelism } = ARGON2;
      const hash = { memory, passes, parallelism, salt, tag };
      expect(parsePasswordHash(formatPasswordHash(hash))).toEqual(hash);
    }),
  );
  expect(parsePasswordHash("$argon2i$v=19$m=1,t=1,p=1$AAAA$AAAA")).toBeNull();
});

test("the same letters in other forms of Unicode are the same password", () => {
  expect(passwordBytes("ｶﾞ１")).toEqual(passwordBytes("ガ1"));
});
