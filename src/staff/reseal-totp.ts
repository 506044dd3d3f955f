import type { Deps } from "../deps.ts";

const WRITE = `
update staff
set totp_sealed = $2, totp_draft_sealed = $4
where uid = $1 and totp_sealed is not distinct from $3 and totp_draft_sealed is not distinct from $5`;

/** A second factor of a person, on or being set up, as it is stored. */
export interface SealedTotp {
  readonly uid: string;
  readonly email: string;
  readonly totp: Buffer | null;
  readonly draft: Buffer | null;
}

/** Everybody with a second factor: people of a store's staff are few. */
export async function selectSealedTotp(deps: Pick<Deps, "db">): Promise<SealedTotp[]> {
  return deps.db.query<SealedTotp>(`
    select uid, email, totp_sealed as totp, totp_draft_sealed as draft
    from staff
    where totp_sealed is not null or totp_draft_sealed is not null
    order by email`);
}

/** Encrypts the secrets of second factors with the current secret key. Returns how many people's were sealed by another one. */
export async function resealTotp(deps: Pick<Deps, "db" | "secretBox">): Promise<number> {
  let count = 0;
  for (const { uid, totp, draft } of await selectSealedTotp(deps)) {
    const resealed = totp === null ? null : deps.secretBox.resealed(totp);
    const resealedDraft = draft === null ? null : deps.secretBox.resealed(draft);
    if (resealed === null && resealedDraft === null) continue;
    count += await deps.db.execute(WRITE, [uid, resealed ?? totp, totp, resealedDraft ?? draft, draft]);
  }
  return count;
}
