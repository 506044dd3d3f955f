import type { Deps } from "../../deps.ts";
import type { Role } from "../../wire/access.ts";
import { insertStaff } from "../insert-staff.ts";
import { type LinkMailing, type MailLinkDeps, mailLink } from "./mail-link.ts";
import { type MadeLink, makeLink } from "./make-link.ts";

/**
 * Creates a person who chooses a password with a link; until then they cannot sign in. The link is mailed where mail is on and requested,
 * otherwise it is returned and shown only once. 422 naming each field that is not accepted.
 */
export async function inviteStaff(
  deps: MailLinkDeps & Pick<Deps, "db">,
  input: { readonly email: string; readonly name: string; readonly role: Role },
  mailing: LinkMailing | null,
): Promise<{ uid: string; link: MadeLink; isMailed: boolean }> {
  return deps.db.tx(async (tx) => {
    const { email, name, role } = input;
    const uid = await insertStaff(tx, deps, { email, name, role, password: null });
    const link = await makeLink(tx, deps, { staffUid: uid, kind: "invitation" });
    return { uid, link, isMailed: await mailLink(tx, deps, { staffUid: uid, kind: "invitation", link, mailing }) };
  });
}
