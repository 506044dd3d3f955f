import type { Deps } from "../deps.ts";

/** Encrypts the key of the unsubscribe links with the current secret key. Returns 1 where another key had encrypted it, else 0. */
export async function resealLinkKey(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  const [row] = await deps.db.query<{ sealed: Buffer | null }>("select link_key_sealed as sealed from message_pace");
  const resealed = row?.sealed == null ? null : deps.secretBox.resealed(row.sealed);
  if (resealed === null || row?.sealed == null) return 0;
  const text = "update message_pace set link_key_sealed = $2 where link_key_sealed = $1";
  return await deps.db.execute(text, [row.sealed, resealed]);
}
