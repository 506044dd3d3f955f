import type { Deps } from "../../deps.ts";
import { invalid } from "../../problems.ts";
import { selectStaff } from "../queries.ts";
import { countAttempt, deleteFailures, uncountAttempt } from "../sign-in/attempt-queries.ts";
import { PERSON_RULE } from "../sign-in/lockout.ts";
import { recordFailedCheck } from "../sign-in/record-failed-check.ts";
import { checkPassword } from "./check-password.ts";

/** Checks the password of a signed-in person. 422 for a wrong one, naming the field that contained it; 429 after too many. */
export async function checkCurrentPassword(
  deps: Pick<Deps, "db" | "clock" | "random">,
  uid: string,
  { password, field }: { readonly password: string; readonly field: "current_password" | "password" },
): Promise<void> {
  const key = `account/${uid}`;
  const { hasLocked } = await countAttempt(deps, [{ key, rule: PERSON_RULE }]);
  const row = await selectStaff(deps.db, uid);
  const isRight = await checkPassword(deps, row?.passwordHash ?? null, password, "known").catch(async (error) => {
    await uncountAttempt(deps.db, key);
    throw error;
  });
  if (!isRight) {
    await recordFailedCheck(deps, uid, { field, hasLocked });
    throw invalid(`/${field}`, "is not your current password");
  }
  await deleteFailures(deps.db, key);
}
