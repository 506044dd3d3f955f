import type { Deps } from "../deps.ts";
import { selectSealedMails } from "./mail-queries.ts";

const FIRST_UID = "00000000-0000-0000-0000-000000000000";
const WRITE = `update mail
set content_sealed = $2
where uid = $1
  and content_sealed = $3`;

/** Encrypts the contents of waiting mails with the current secret key. Returns how many another key had encrypted. */
export async function resealMails(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  let count = 0;
  let after = FIRST_UID;
  for (
    let mails = await selectSealedMails(deps.db, after);
    mails.length > 0;
    mails = await selectSealedMails(deps.db, after)
  ) {
    for (const { uid, sealed } of mails) {
      const resealed = deps.secretBox.resealed(sealed);
      if (resealed !== null) count += await deps.db.execute(WRITE, [uid, resealed, sealed]);
      after = uid;
    }
  }
  return count;
}
