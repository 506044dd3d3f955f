import { timingSafeEqual } from "node:crypto";
import type { Deps } from "../../deps.ts";
import { deriveHash, type PasswordSender } from "./derive-hash.ts";
import { ARGON2, type PasswordHash, parsePasswordHash, passwordBytes, SALT_BYTES } from "./password-hash.ts";

/** Whether a password matches a hash. Null, for an unknown person, takes the same time and never matches. 503 of `deriveHash`. */
export async function checkPassword(
  deps: Pick<Deps, "random">,
  hash: string | null,
  password: string,
  sender: PasswordSender,
): Promise<boolean> {
  const known = hash === null ? null : parsePasswordHash(hash);
  const { memory, passes, parallelism, salt, tag } = known ?? nobodys(deps);
  const message = passwordBytes(password);
  const made = await deriveHash({ message, nonce: salt, memory, passes, parallelism, tagLength: tag.length }, sender);
  return timingSafeEqual(made, tag) && known !== null;
}

function nobodys(deps: Pick<Deps, "random">): PasswordHash {
  return { ...ARGON2, salt: deps.random.bytes(SALT_BYTES), tag: Buffer.alloc(ARGON2.tagLength) };
}
