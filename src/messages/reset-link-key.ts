import { canOpen } from "../credentials/secret-box.ts";
import type { Deps } from "../deps.ts";

/**
 * Deletes the key of the unsubscribe links where it cannot be decrypted any more. The next message generates another key, and links sent
 * before stop working. Returns whether the key was lost; a dry run changes nothing.
 */
export async function resetLinkKey(
  deps: Pick<Deps, "db" | "secretBox">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<boolean> {
  const [row] = await deps.db.query<{ sealed: Buffer | null }>("select link_key_sealed as sealed from message_pace");
  const sealed = row?.sealed ?? null;
  if (sealed === null || canOpen(deps.secretBox, sealed)) return false;
  if (!isDryRun)
    await deps.db.execute("update message_pace set link_key_sealed = null where link_key_sealed = $1", [sealed]);
  return true;
}
