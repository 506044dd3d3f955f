import type { Queryable } from "../db/pool.ts";
import { notFound } from "../problems.ts";

export interface ActiveCredential {
  readonly uid: string;
  readonly name: string;
  readonly isStore: boolean;
}

/** Returns the active credential with a key or a name; a key has priority. Throws 404 if there is none. */
export async function findActiveCredential(queryable: Queryable, keyOrName: string): Promise<ActiveCredential> {
  const [found] = await queryable.query<ActiveCredential>(
    `select uid, name, is_store as "isStore"
     from credential
     where (key = $1 or name = $1) and revoked_at is null
     order by key = $1 desc
     limit 1`,
    [keyOrName],
  );
  if (found === undefined) throw notFound(`no credential has the key or name "${keyOrName}"`);
  return found;
}
