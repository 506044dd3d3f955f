import type { Queryable } from "../db/pool.ts";

/** A second factor of a person, on or being set up, as it is stored. */
export interface SealedTotp {
  readonly uid: string;
  readonly email: string;
  readonly totp: Buffer | null;
  readonly draft: Buffer | null;
}

/** Everybody with a second factor: people of a store's staff are few. */
export async function selectSealedTotp(queryable: Queryable): Promise<SealedTotp[]> {
  return queryable.query<SealedTotp>(`
    select uid, email, totp_sealed as totp, totp_draft_sealed as draft
    from staff
    where totp_sealed is not null or totp_draft_sealed is not null
    order by email`);
}
