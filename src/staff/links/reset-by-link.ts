import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { recordAccessChange } from "../access-queries.ts";
import { countOtherOwners, endAccess, LOCK_OWNERS, selectStaff } from "../queries.ts";
import { type LinkMailing, type MailLinkDeps, mailLink } from "./mail-link.ts";
import { type MadeLink, makeLink } from "./make-link.ts";

/**
 * Deletes a person's password and creates a link with which they choose another. It is mailed where mail is on and requested, otherwise it is
 * returned and shown only once. Ends their sessions and a lockout. 404 for an unknown uid; 409 where no owner who can sign in would be left.
 */
export async function resetByLink(
  deps: MailLinkDeps & Pick<Deps, "db">,
  uid: string,
  mailing: LinkMailing | null,
): Promise<{ link: MadeLink; isMailed: boolean; email: string }> {
  return deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    const staff = await selectStaff(tx, uid);
    if (staff === undefined) throw new Problem("not_found");
    if ((await countOtherOwners(tx, uid)) === 0) throw new Problem("last_owner");
    await tx.execute(
      "update staff set password_hash = null, has_made_password = false, password_until = null, password_at = $2 where uid = $1",
      [uid, deps.clock.now()],
    );
    await endAccess(tx, staff);
    await recordAccessChange(tx, deps, { kind: "reset", staffUid: uid, role: staff.role });
    const kind = staff.passwordHash === null ? "invitation" : "reset";
    const link = await makeLink(tx, deps, { staffUid: uid, kind });
    return { link, email: staff.email, isMailed: await mailLink(tx, deps, { staffUid: uid, kind, link, mailing }) };
  });
}
