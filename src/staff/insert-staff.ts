import { isUniqueViolation, type Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type Fault, invalid, Problem } from "../problems.ts";
import type { Role } from "./permissions.ts";
import { normalEmail, normalName, passwordFault } from "./staff.ts";

/** A person to be. The password is hashed already; `password` is only looked at. */
export interface NewStaff {
  /** Absent: one is made. */
  readonly uid?: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
  readonly passwordHash: string;
  /** The service made the password. */
  readonly isMade: boolean;
}

/** Writes a person; answers the uid. 422 for an e-mail that is none or somebody's, a name or a password that will not do. */
export async function insertStaff(tx: Tx, deps: Pick<Deps, "clock" | "random">, wish: NewStaff): Promise<string> {
  const { email, name } = checked(wish);
  const uid = wish.uid ?? deps.random.uid();
  const now = deps.clock.now();
  try {
    await tx.execute(
      `insert into staff (uid, email, name, role, password_hash, has_made_password, password_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [uid, email, name, wish.role, wish.passwordHash, wish.isMade, now],
    );
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("/email", "somebody has this e-mail address already");
    throw error;
  }
  return uid;
}

function checked(wish: NewStaff): { email: string; name: string } {
  const email = normalEmail(wish.email);
  const name = normalName(wish.name);
  const fault = passwordFault(wish.password, email ?? "");
  if (email !== null && name !== null && fault === null) return { email, name };
  const faults: Fault[] = [];
  if (email === null) faults.push({ pointer: "/email", detail: "expected an e-mail address" });
  if (name === null) faults.push({ pointer: "/name", detail: "expected 1 to 100 characters" });
  if (fault !== null) faults.push({ pointer: "/password", detail: fault });
  throw new Problem("invalid", { faults });
}
