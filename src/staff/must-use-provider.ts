import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { isOidcOn, selectIdentityOf } from "./identity-queries.ts";
import { countOtherOwners, selectStaff } from "./queries.ts";

/**
 * Whether the identity provider alone lets a linked person in, while it is on: where it gives the roles, a password or passkey would outlive
 * the company account. The last owner who can sign in is excepted: a wrong setting would close the store.
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
