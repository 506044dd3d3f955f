import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { isOidcOn, selectIdentityOf } from "./identity-queries.ts";

/** Whether the identity provider gives somebody no role any more: then no other way lets them in either, while the provider counts. */
export async function roleIsLost(tx: Tx, { config }: Pick<Deps, "config">, staffUid: string): Promise<boolean> {
  if (!(await isOidcOn({ db: tx, config }))) return false;
  return (await selectIdentityOf(tx, staffUid))?.roleLostAt != null;
}
