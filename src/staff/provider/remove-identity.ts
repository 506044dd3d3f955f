import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { countOtherOwners, LOCK_OWNERS, selectStaff } from "../queries.ts";
import { deleteIdentity } from "./identity-queries.ts";
import { unlinkRefusal } from "./provider-roles.ts";

/**
 * Removes the link between a person's account and the provider, for an owner: an intruder in the account may have linked their own identity.
 * Ends the person's sessions; where the link was their only way to sign in, they need the link of a reset. 403 where the role comes from the
 * provider, 404 where there is no link, 409 where no owner who can sign in would be left.
 */
export async function removeIdentity(deps: Pick<Deps, "db" | "config">, uid: string): Promise<void> {
  const refusal = unlinkRefusal(deps.config.oidc);
  if (refusal !== null) throw refusal;
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    if ((await selectStaff(tx, uid)) === undefined) throw new Problem("not_found");
    if ((await countOtherOwners(tx, uid)) === 0) throw new Problem("last_owner");
    await tx.execute("delete from staff_session where staff_uid = $1", [uid]); // first: it waits for a link that a session makes this moment
    if (!(await deleteIdentity(tx, uid))) throw new Problem("not_found");
  });
}
