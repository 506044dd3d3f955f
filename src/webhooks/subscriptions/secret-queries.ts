import type { Queryable } from "../../db/pool.ts";

/** The secrets of one subscription, as stored. */
export interface SealedSecrets {
  readonly uid: string;
  readonly topic: string;
  readonly secret: Buffer;
  readonly next: Buffer | null;
}

export async function selectSealedSecrets(queryable: Queryable): Promise<SealedSecrets[]> {
  return queryable.query<SealedSecrets>(`
    select uid, topic, secret_sealed as secret, next_secret_sealed as next
    from subscription
    order by topic, uid`);
}
