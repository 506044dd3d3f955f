import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { LOCK_OWNERS, selectStaff } from "../queries.ts";
import { checkOwnSignIn } from "../sign-in/check-own-sign-in.ts";
import { requireSignInMethod } from "../sign-in/require-sign-in-method.ts";
import { deleteIdentity } from "./identity-queries.ts";
import { unlinkRefusal } from "./provider-roles.ts";

/**
 * Removes the link between a person's own account and the provider. 403 where the role comes from there
 * or it is the only way to sign in, 404 where there is no link, 409
 * where they could not sign in any more.
 */
export async function unlinkIdentity(deps: Pick<Deps, "db" | "config">, uid: string): Promise<void> {
  await checkOwnSignIn(deps);
  const refusal = unlinkRefusal(deps.config.oidc);
  if (refusal !== null) throw refusal;
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    if ((await selectStaff(tx, uid)) === undefined) throw new Problem("not_found");
    if (!(await deleteIdentity(tx, uid))) throw new Problem("not_found");
    await requireSignInMethod(tx, uid);
  });
}
