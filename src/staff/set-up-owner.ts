import { runAs } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { hashPassword } from "./hash-password.ts";
import { insertStaff } from "./insert-staff.ts";
import { hasStaff, LOCK_OWNERS } from "./queries.ts";
import { normalName } from "./staff.ts";

/** Makes the store's first person, an owner, in their own name; answers the uid. 409 where there is anybody already, however many ask at once. */
export async function setUpOwner(
  deps: Pick<Deps, "db" | "clock" | "random">,
  wish: { readonly email: string; readonly name: string; readonly password: string; readonly address: string },
): Promise<string> {
  if (await hasStaff(deps.db)) throw new Problem("setup_done");
  const passwordHash = await hashPassword(deps, wish.password);
  const uid = deps.random.uid();
  const { name, address } = wish;
  return runAs({ kind: "staff", id: uid, name: normalName(name) ?? name, address }, () =>
    deps.db.tx(async (tx) => {
      await tx.query(LOCK_OWNERS);
      if (await hasStaff(tx)) throw new Problem("setup_done");
      return insertStaff(tx, deps, { ...wish, uid, role: "owner", passwordHash, isMade: false });
    }),
  );
}
