import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import { invalid, Problem } from "../problems.ts";
import { forgetFailures } from "./forget-failures.ts";
import { hashPassword } from "./hash-password.ts";
import { selectStaff } from "./queries.ts";
import { madePassword, passwordFault } from "./staff.ts";

/**
 * Gives a person another password, made here where none is given; answers the made one, which is told this once. Ends their
 * sessions and a lockout. 404 for an unknown uid, 422 for a password that will not do.
 */
export async function resetPassword(
  deps: Pick<Deps, "db" | "clock" | "random">,
  uid: string,
  given?: string,
): Promise<{ madePassword: string | null }> {
  const staff = await selectStaff(deps.db, uid);
  if (staff === undefined) throw new Problem("not_found");
  const fault = given === undefined ? null : passwordFault(given, staff.email);
  if (fault !== null) throw invalid("/password", fault);
  const made = given === undefined ? madePassword(deps.random.bytes(16)) : null;
  const passwordHash = await hashPassword(deps, given ?? made ?? "");
  await deps.db.tx(async (tx) => {
    await tx.execute(
      `update staff
       set password_hash = $2, has_made_password = $3, password_at = $4
       where uid = $1`,
      [uid, passwordHash, made !== null, deps.clock.now()],
    );
    await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
    await forgetFailures(tx, `email/${createHash("sha256").update(staff.email).digest("hex")}`);
  });
  return { madePassword: made };
}
