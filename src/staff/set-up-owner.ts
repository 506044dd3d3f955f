import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { hashPassword } from "./hash-password.ts";
import { insertStaff } from "./insert-staff.ts";
import { hasStaff, LOCK_OWNERS } from "./queries.ts";

/** Makes the store's first person, an owner; answers the uid. 409 where there is anybody already, however many ask at once. */
export async function setUpOwner(
  deps: Pick<Deps, "db" | "clock" | "random">,
  wish: { readonly email: string; readonly name: string; readonly password: string },
): Promise<string> {
  if (await hasStaff(deps.db)) throw new Problem("setup_done");
  const passwordHash = await hashPassword(deps, wish.password);
  return deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    if (await hasStaff(tx)) throw new Problem("setup_done");
    return insertStaff(tx, deps, { ...wish, role: "owner", passwordHash, isMade: false });
  });
}
