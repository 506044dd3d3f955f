import type { Deps } from "../../deps.ts";
import { invalid, Problem } from "../../problems.ts";
import { recordAccessChange } from "../access-queries.ts";
import { endAccess, selectStaff } from "../queries.ts";
import { MADE_PASSWORD_DAYS } from "../sessions/session.ts";
import { madePassword, passwordFault } from "../staff.ts";
import { hashPassword } from "./hash-password.ts";

/**
 * Sets another password for a person, for an operator of the machine. Without a given password one is generated and returned; it is shown only
 * once and opens one session within three days. Ends the person's sessions and a lockout. 404 for an unknown uid, 422 for a password that is
 * not accepted.
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
  const now = deps.clock.now();
  const until = made === null ? null : now.add({ hours: 24 * MADE_PASSWORD_DAYS });
  await deps.db.tx(async (tx) => {
    await tx.execute(
      `update staff
       set password_hash = $2, has_made_password = $3, password_until = $4, password_at = $5
       where uid = $1`,
      [uid, passwordHash, made !== null, until, now],
    );
    await endAccess(tx, staff);
    await recordAccessChange(tx, deps, { kind: "reset", staffUid: uid, role: staff.role });
  });
  return { madePassword: made };
}
