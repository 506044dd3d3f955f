import { rm } from "node:fs/promises";
import { join } from "node:path";
import { currentActor } from "../actor.ts";
import { isUniqueViolation, type Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type Fault, invalid, Problem } from "../problems.ts";
import type { Role } from "../wire/access.ts";
import type { Language } from "../wire/language.ts";
import { recordAccessChange } from "./access-queries.ts";
import { MADE_PASSWORD_DAYS } from "./sessions/session.ts";
import { SETUP_CODE_FILE } from "./setup-code.ts";
import { normalEmail, normalName, passwordFault } from "./staff.ts";

/** A password that is hashed already; `text` is only used to check it. */
export interface NewPassword {
  readonly text: string;
  readonly hash: string;
  /** The service generated it: it opens one session within three days, in which another has to be chosen. */
  readonly isMade: boolean;
}

/** A person to create. */
export interface NewStaff {
  /** Absent: one is generated. */
  readonly uid?: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Absent or null: they have chosen none. */
  readonly language?: Language | null;
  /** Null: they choose one behind a link. */
  readonly password: NewPassword | null;
}

/**
 * Inserts a person; returns the uid. The setup code ends with the first one. Owners are notified, unless the person creates themselves. 422
 * for an e-mail that is not valid or in use, and for a name or a password that is not accepted.
 */
export async function insertStaff(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "config">,
  input: NewStaff,
): Promise<string> {
  const { email, name } = checked(input);
  const { role, password } = input;
  const uid = input.uid ?? deps.random.uid();
  const now = deps.clock.now();
  const isMade = password?.isMade ?? false;
  const until = isMade ? now.add({ hours: 24 * MADE_PASSWORD_DAYS }) : null;
  try {
    await tx.execute(
      `insert into staff (uid, email, name, role, password_hash, has_made_password, password_until, password_at, created_at, language)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
      [uid, email, name, role, password?.hash ?? null, isMade, until, now, input.language ?? null],
    );
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid("/email", "somebody has this e-mail address already");
    throw error;
  }
  if (currentActor().id !== uid) await recordAccessChange(tx, deps, { kind: "invited", staffUid: uid, role });
  await removeSetupCode(tx, deps);
  return uid;
}

function checked(input: NewStaff): { email: string; name: string } {
  const email = normalEmail(input.email);
  const name = normalName(input.name);
  const fault = input.password === null ? null : passwordFault(input.password.text, email ?? "");
  if (email !== null && name !== null && fault === null) return { email, name };
  const faults: Fault[] = [];
  if (email === null) faults.push({ pointer: "/email", detail: "expected an e-mail address" });
  if (name === null) faults.push({ pointer: "/name", detail: "expected 1 to 100 characters" });
  if (fault !== null) faults.push({ pointer: "/password", detail: fault });
  throw new Problem("invalid", { faults });
}

/** Deletes the setup code, and its file once the transaction has committed. */
async function removeSetupCode(tx: Tx, deps: Pick<Deps, "config">): Promise<void> {
  const removed = await tx.execute("delete from setup_code");
  const path = join(deps.config.dataDir, SETUP_CODE_FILE);
  // A file that could not be removed opens nothing, and the next start removes it.
  if (removed > 0) tx.afterCommit(() => void rm(path, { force: true }).catch(() => {}));
}
