import type { Deps } from "../../deps.ts";
import { selectSealedTotp } from "../queries.ts";

const WRITE = `
update staff
set totp_sealed = $2, totp_draft_sealed = $4
where uid = $1 and totp_sealed is not distinct from $3 and totp_draft_sealed is not distinct from $5`;

/** Encrypts the secrets of second factors with the current secret key. Returns the number of people whose secret another key had encrypted. */
export async function resealTotp(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  let count = 0;
  for (const { uid, totp, draft } of await selectSealedTotp(deps.db)) {
    const resealed = totp === null ? null : deps.secretBox.resealed(totp);
    const resealedDraft = draft === null ? null : deps.secretBox.resealed(draft);
    if (resealed === null && resealedDraft === null) continue;
    count += await deps.db.execute(WRITE, [uid, resealed ?? totp, totp, resealedDraft ?? draft, draft]);
  }
  return count;
}
