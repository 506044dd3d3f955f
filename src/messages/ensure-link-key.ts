import { SecretBoxError } from "../credentials/secret-box.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { LINK_KEY_BYTES } from "./unsubscribe-token.ts";

const READ = "select link_key_sealed as sealed from message_pace";

/** The key that signs the links which end messages; made where there is none, or where the secret key that sealed it is lost. */
export async function ensureLinkKey(tx: Tx, deps: Pick<Deps, "random" | "secretBox">): Promise<Buffer> {
  const [row] = await tx.query<{ sealed: Buffer | null }>(READ);
  const known = openKey(deps, row?.sealed ?? null);
  if (known !== null) return known;
  const [locked] = await tx.query<{ sealed: Buffer | null }>(`${READ} for update`);
  const made = openKey(deps, locked?.sealed ?? null);
  if (made !== null) return made;
  const key = deps.random.bytes(LINK_KEY_BYTES);
  await tx.execute("update message_pace set link_key_sealed = $1", [deps.secretBox.seal(key.toString("base64"))]);
  return key;
}

function openKey({ secretBox }: Pick<Deps, "secretBox">, sealed: Buffer | null): Buffer | null {
  if (sealed === null) return null;
  try {
    return Buffer.from(secretBox.open(sealed), "base64");
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
