import type { Deps } from "../deps.ts";
import type { Role } from "../wire/access.ts";
import { insertStaff } from "./insert-staff.ts";
import { type MadeLink, makeLink } from "./make-link.ts";

/**
 * Makes a person who chooses a password behind a link; until then nothing signs them in. Returns the link, which is shown this once. 422
 * naming each field that will not do.
 */
export async function inviteStaff(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  input: { readonly email: string; readonly name: string; readonly role: Role },
): Promise<{ uid: string; link: MadeLink }> {
  return deps.db.tx(async (tx) => {
    const uid = await insertStaff(tx, deps, { ...input, password: null });
    return { uid, link: await makeLink(tx, deps, { staffUid: uid, kind: "invitation" }) };
  });
}
