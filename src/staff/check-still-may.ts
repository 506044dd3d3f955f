import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import type { Role } from "../wire/access.ts";
import { can, type Permission } from "./permissions.ts";
import { isOidcOn, selectIdentityOf } from "./provider/identity-queries.ts";

/**
 * Checks that a person may still do what is to be done in their name, and keeps this true until the transaction ends. 409 `requester_gone`
 * where they were disabled, the identity provider no longer gives them a role, or their role no longer has the permission.
 */
export async function checkStillMay(
  tx: Tx,
  deps: Pick<Deps, "config">,
  { staffUid, permission }: { readonly staffUid: string; readonly permission: Permission },
): Promise<void> {
  const [staff] = await tx.query<{ role: Role; isDisabled: boolean }>(
    `select role, disabled_at is not null as "isDisabled"
     from staff
     where uid = $1
     for share`,
    [staffUid],
  );
  const hasLostRole = (await selectIdentityOf(tx, staffUid))?.roleLostAt != null;
  const isGone = staff === undefined || staff.isDisabled;
  const isShutOut = hasLostRole && (await isOidcOn({ db: tx, config: deps.config }));
  if (!isGone && !isShutOut && can(staff.role, permission)) return;
  const lacks = isShutOut ? "the identity provider gives no role" : `the role lacks ${permission}`;
  const detail = `${isGone ? "the account is disabled" : lacks}: refuse the request; whoever still wants it asks for it`;
  throw new Problem("requester_gone", { faults: [{ detail }] });
}
