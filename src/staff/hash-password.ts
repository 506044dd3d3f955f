import { argon2 } from "node:crypto";
import { promisify } from "node:util";
import type { Deps } from "../deps.ts";
import { ARGON2, formatPasswordHash, passwordBytes, SALT_BYTES } from "./password-hash.ts";

const derive = promisify(argon2);

/** The hash to keep of a password, in the PHC form; takes some 20 ms, off the main thread. */
export async function hashPassword(deps: Pick<Deps, "random">, password: string): Promise<string> {
  const salt = deps.random.bytes(SALT_BYTES);
  const tag = await derive("argon2id", { message: passwordBytes(password), nonce: salt, ...ARGON2 });
  return formatPasswordHash({ ...ARGON2, salt, tag });
}
