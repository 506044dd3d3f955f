import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { isOidcOn, selectIdentityOf } from "../provider/identity-queries.ts";
import { countOtherOwners, selectStaff } from "../queries.ts";

/**
 * Whether a linked person can sign in only through the identity provider, while it is on. This is so where it gives the roles, or has taken
 * the person's role away, because a password or passkey would outlive the company account. The last owner who can sign in is excepted,
 * because otherwise a wrong setting would lock everybody out of the store.
 */
export async function mustUseProvider(
  queryable: Queryable,
  { config }: Pick<Deps, "config">,
  staffUid: string,
): Promise<boolean> {
  if (!(await isOidcOn({ db: queryable, config }))) return false;
  const identity = await selectIdentityOf(queryable, staffUid);
  if (identity === undefined || (config.oidc?.roles === null && identity.roleLostAt === null)) return false;
  const staff = await selectStaff(queryable, staffUid);
  return staff?.role !== "owner" || (await countOtherOwners(queryable, staffUid)) > 0;
}
