import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readLinkKey } from "./read-link-key.ts";
import { LINK_KEY_BYTES } from "./unsubscribe-token.ts";

/** The key that signs unsubscribe links; generates one where there is none, or where the secret key that encrypted it is lost. */
export async function ensureLinkKey(tx: Tx, deps: Pick<Deps, "random" | "secretBox">): Promise<Buffer> {
  const known = (await readLinkKey(tx, deps)) ?? (await readLinkKey(tx, deps, "update"));
  if (known !== null) return known;
  const key = deps.random.bytes(LINK_KEY_BYTES);
  await tx.execute("update message_pace set link_key_sealed = $1", [deps.secretBox.seal(key.toString("base64"))]);
  return key;
}
