import type { Deps } from "../deps.ts";
import { type Fault, invalid, Problem } from "../problems.ts";
import type { Language } from "../wire/language.ts";
import { checkCurrentPassword } from "./passwords/check-current-password.ts";
import { checkPassword } from "./passwords/check-password.ts";
import { hashPassword } from "./passwords/hash-password.ts";
import { selectStaff } from "./queries.ts";
import { lockOwnSession } from "./sessions/lock-own-session.ts";
import { hashToken } from "./sessions/session.ts";
import { normalName, passwordFault, type Staff } from "./staff.ts";

export interface AccountChange {
  readonly name?: string | undefined;
  readonly language?: Language | null | undefined;
  /** Asked for a new password. */
  readonly currentPassword?: string | undefined;
  readonly password?: string | undefined;
}

/**
 * Changes what a person may change of themselves. Somebody without a password has confirmed the session before one is set, which the caller
 * checks. A new password ends every other session of theirs, and a link with which another one could be chosen; `token` is the session that
 * stays. A made password is replaced without being shown again: it opened this one session. 422 naming each field that will not do, a wrong
 * `current_password` among them; 429 after too many wrong ones; 401 of `lockOwnSession`.
 */
export async function updateAccount(
  deps: Pick<Deps, "db" | "clock" | "random">,
  staff: Staff,
  change: AccountChange & { readonly token: string },
): Promise<void> {
  const name = change.name === undefined ? staff.name : normalName(change.name);
  if (staff.hasMadePassword && change.password === undefined) throw new Problem("password_choice_needed");
  const faults = faultsOf(change, name, staff);
  if (faults.length > 0 || name === null) throw new Problem("invalid", { faults });
  const { password, currentPassword, token } = change;
  if (password !== undefined && currentPassword !== undefined)
    await checkCurrentPassword(deps, staff.uid, { password: currentPassword, field: "current_password" });
  if (password !== undefined && staff.hasMadePassword) await refuseMade(deps, staff.uid, password);
  const passwordHash = password === undefined ? null : await hashPassword(deps, password);
  await deps.db.tx(async (tx) => {
    await lockOwnSession(tx, { staffUid: staff.uid, token });
    await tx.execute(
      `update staff
       set name = $2, language = $3, password_hash = coalesce($4, password_hash),
         has_made_password = has_made_password and $4 is null,
         password_until = case when $4 is null then password_until end,
         password_at = case when $4 is null then password_at else $5 end
       where uid = $1`,
      [
        staff.uid,
        name,
        change.language === undefined ? staff.language : change.language,
        passwordHash,
        deps.clock.now(),
      ],
    );
    if (passwordHash === null) return;
    await tx.execute("delete from staff_link where staff_uid = $1", [staff.uid]);
    await tx.execute("delete from staff_session where staff_uid = $1 and token_sha256 <> $2", [
      staff.uid,
      hashToken(token),
    ]);
  });
}

/** The person who generated a password knows it: another one has to be chosen. */
async function refuseMade(deps: Pick<Deps, "db" | "random">, uid: string, password: string): Promise<void> {
  const row = await selectStaff(deps.db, uid);
  if (await checkPassword(deps, row?.passwordHash ?? null, password, "known"))
    throw invalid("/password", "expected another than the one that was made");
}

function faultsOf({ password, currentPassword }: AccountChange, name: string | null, staff: Staff): Fault[] {
  const faults: Fault[] = [];
  if (name === null) faults.push({ pointer: "/name", detail: "expected 1 to 100 characters" });
  if (password === undefined) return faults;
  const fault = passwordFault(password, staff.email);
  if (fault !== null) faults.push({ pointer: "/password", detail: fault });
  if (currentPassword === undefined && staff.hasPassword && !staff.hasMadePassword) {
    faults.push({ pointer: "/current_password", detail: "is required: expected your current password" });
  }
  return faults;
}
