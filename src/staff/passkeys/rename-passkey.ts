import type { Deps } from "../../deps.ts";
import { invalid, Problem } from "../../problems.ts";
import { normalName } from "../staff.ts";

/** Gives one of a person's own passkeys another name. 404 for one that is not theirs, 422 without a name. */
export async function renamePasskey(
  deps: Pick<Deps, "db">,
  staffUid: string,
  { uid, name: typed }: { readonly uid: string; readonly name: string },
): Promise<void> {
  const name = normalName(typed);
  if (name === null) throw invalid("/name", "expected 1 to 100 characters");
  const text = "update staff_passkey set name = $3 where uid = $1 and staff_uid = $2";
  const renamed = await deps.db.tx((tx) => tx.execute(text, [uid, staffUid, name]));
  if (renamed === 0) throw new Problem("not_found");
}
