import { SecretBoxError } from "../credentials/secret-box.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";

const READ = "select link_key_sealed as sealed from message_pace";

/** The key that signs unsubscribe links; null where none was generated yet, or the secret key that encrypted it is lost. */
export async function readLinkKey(
  queryable: Queryable,
  { secretBox }: Pick<Deps, "secretBox">,
  locks: "update" | null = null,
): Promise<Buffer | null> {
  const [row] = await queryable.query<{ sealed: Buffer | null }>(locks === null ? READ : `${READ} for ${locks}`);
  const sealed = row?.sealed ?? null;
  if (sealed === null) return null;
  try {
    return Buffer.from(secretBox.open(sealed), "base64");
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}
