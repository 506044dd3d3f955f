import { runAs } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { checkSetupCode } from "./check-setup-code.ts";
import { hashPassword } from "./hash-password.ts";
import { insertStaff } from "./insert-staff.ts";
import { hasStaff, LOCK_OWNERS } from "./queries.ts";
import { normalName } from "./staff.ts";

/** What the page of the first run sends. */
export interface OwnerInput {
  /** Of the first start: `ensureSetupCode`. */
  readonly code: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Makes the store's first person, an owner, in their own name; answers the uid. 409 where there is anybody already, however many ask at
 * once; else 422 or 429 of `checkSetupCode` before anything of the others is looked at.
 */
export async function setUpOwner(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  { code, email, name, password, address }: OwnerInput,
): Promise<string> {
  if (await hasStaff(deps.db)) throw new Problem("setup_done");
  await checkSetupCode(deps, { code, address });
  const hash = await hashPassword(deps, password);
  const uid = deps.random.uid();
  return runAs({ kind: "staff", id: uid, name: normalName(name) ?? name, address }, () =>
    deps.db.tx(async (tx) => {
      await tx.query(LOCK_OWNERS);
      if (await hasStaff(tx)) throw new Problem("setup_done");
      return insertStaff(tx, deps, {
        uid,
        email,
        name,
        role: "owner",
        password: { text: password, hash, isMade: false },
      });
    }),
  );
}
