import { expect, test } from "vitest";
import { deriveHash, type PasswordSender } from "./derive-hash.ts";

const hash = (sender: PasswordSender) =>
  deriveHash(
    { message: Buffer.from("x"), nonce: Buffer.alloc(16), memory: 8, passes: 1, parallelism: 1, tagLength: 16 },
    sender,
  );

test("a crowd of strangers is refused in the end, and keeps out nobody who is known", async () => {
  const crowd = Array.from({ length: 60 }, () => hash("stranger").catch((error: unknown) => error));
  expect((await hash("known")).length).toBe(16);
  expect((await Promise.all(crowd)).filter((result) => result instanceof Error)).toHaveLength(18);
});
