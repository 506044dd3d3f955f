import type { Deps } from "../../deps.ts";
import { deriveHash } from "./derive-hash.ts";
import { ARGON2, formatPasswordHash, passwordBytes, SALT_BYTES } from "./password-hash.ts";

/** The hash of a password for storage, in the PHC form; takes some 20 ms, off the main thread. 503 of `deriveHash`. */
export async function hashPassword(deps: Pick<Deps, "random">, password: string): Promise<string> {
  const salt = deps.random.bytes(SALT_BYTES);
  const tag = await deriveHash({ message: passwordBytes(password), nonce: salt, ...ARGON2 }, "known");
  return formatPasswordHash({ ...ARGON2, salt, tag });
}
