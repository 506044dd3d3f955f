import type { Deps } from "../deps.ts";
import { invalid } from "../problems.ts";
import type { Role } from "../wire/access.ts";
import { insertStaff } from "./insert-staff.ts";
import { hashPassword } from "./passwords/hash-password.ts";
import { countOtherOwners, LOCK_OWNERS } from "./queries.ts";
import { madePassword } from "./staff.ts";

export interface NewStaffInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Absent: one is generated, which opens one session within three days, in which another has to be chosen. */
  readonly password?: string | undefined;
}

/**
 * Creates a person who can sign in at once. Returns the password where the service generated it; it is shown only once. The first person of a
 * store is an owner. 422 naming each field that is not accepted.
 */
export async function createStaff(
  deps: Pick<Deps, "db" | "clock" | "random" | "config">,
  input: NewStaffInput,
): Promise<{ uid: string; madePassword: string | null }> {
  const made = input.password === undefined ? madePassword(deps.random.bytes(16)) : null;
  const text = input.password ?? made ?? "";
  const hash = await hashPassword(deps, text);
  const uid = await deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    if (input.role !== "owner" && (await countOtherOwners(tx, null)) === 0) {
      throw invalid("/role", "the first person must be an owner");
    }
    const { email, name, role } = input;
    return insertStaff(tx, deps, { email, name, role, password: { text, hash, isMade: made !== null } });
  });
  return { uid, madePassword: made };
}
