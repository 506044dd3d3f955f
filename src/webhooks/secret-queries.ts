import type { Queryable } from "../db/pool.ts";

/** The secrets of one topic's subscription, as they are stored. */
export interface SealedSecrets {
  readonly topic: string;
  readonly secret: Buffer;
  readonly next: Buffer | null;
}

export async function selectSealedSecrets(queryable: Queryable): Promise<SealedSecrets[]> {
  return queryable.query<SealedSecrets>(`
    select topic, secret_sealed as secret, next_secret_sealed as next
    from subscription
    order by topic`);
}
