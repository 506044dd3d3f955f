import { createHash } from "node:crypto";
import { runAs } from "../actor.ts";
import { recordAction } from "../audit/record-action.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "../http/address-key.ts";
import { Problem } from "../problems.ts";
import { checkPassword } from "./check-password.ts";
import { countAttempt } from "./count-attempt.ts";
import { forgetFailures } from "./forget-failures.ts";
import { forgiveAttempt } from "./forgive-attempt.ts";
import { ADDRESS_RULE, PERSON_RULE } from "./lockout.ts";
import { type StaffRow, selectStaffByEmail } from "./queries.ts";
import { startSession } from "./start-session.ts";
import { takeTotpCode } from "./take-totp-code.ts";

type SignInDeps = Pick<Deps, "db" | "clock" | "random" | "secretBox">;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
  readonly address: string;
}

interface Keys {
  readonly person: string;
  readonly address: string;
}

/**
 * Signs a person in; answers the token of the session. 401 `invalid_sign_in`, the same and after the same work whether the e-mail
 * is anybody's or not; with the detail "code required" where the password is right and the second factor was not told. 429 after
 * too many failures of the e-mail or of the address, with a growing time to wait; 503 where too many passwords are being checked.
 */
export async function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<string> {
  const email = attempt.email.trim().toLowerCase();
  const keys = {
    person: `email/${createHash("sha256").update(email).digest("hex")}`,
    address: `address/${addressKey(attempt.address)}`,
  };
  const counted = await countAttempt(deps, [
    { key: keys.person, rule: PERSON_RULE },
    { key: keys.address, rule: ADDRESS_RULE },
  ]);
  const staff = await selectStaffByEmail(deps.db, email);
  const isRight = await checkPassword(deps, staff?.passwordHash ?? null, attempt.password).catch(async (error) => {
    await forgive(deps, keys);
    throw error;
  });
  if (staff === undefined || !isRight || staff.disabledAt !== null) {
    return refuse(deps, { attempt, staff, hasLocked: counted.hasLocked });
  }
  if (staff.totpSealed !== null && attempt.code === undefined) {
    await forgive(deps, keys);
    throw new Problem("invalid_sign_in", { faults: [{ pointer: "/code", detail: "code required" }] });
  }
  const token = await admit(deps, { staff, attempt, keys });
  return token ?? refuse(deps, { attempt, staff, hasLocked: counted.hasLocked });
}

/** What was not tried to its end is no failure. */
async function forgive({ db }: SignInDeps, { person, address }: Keys): Promise<void> {
  await forgiveAttempt(db, person);
  await forgiveAttempt(db, address);
}

interface Refused {
  readonly attempt: SignInAttempt;
  readonly staff: StaffRow | undefined;
  readonly hasLocked: boolean;
}

/** What was typed for an e-mail that is nobody's is not kept: it may be a password. */
async function refuse(deps: SignInDeps, { attempt, staff, hasLocked }: Refused): Promise<never> {
  const { address } = attempt;
  const subject = { kind: "staff", id: staff?.uid ?? "unknown" };
  const actor = { kind: "staff", id: staff?.uid ?? null, name: staff?.name ?? "unknown", address } as const;
  await runAs(actor, async () => {
    await recordAction(deps.db, deps, { action: "staff.sign_in_failed", subject });
    if (hasLocked) await recordAction(deps.db, deps, { action: "staff.locked_out", subject });
  });
  throw new Problem("invalid_sign_in");
}

interface Admitted {
  readonly staff: StaffRow;
  readonly attempt: SignInAttempt;
  readonly keys: Keys;
}

/** Begins the session, unless the person was disabled or got another password meanwhile, or the code is wrong: null. */
function admit(deps: SignInDeps, { staff, attempt, keys }: Admitted): Promise<string | null> {
  const { address, code } = attempt;
  return runAs({ kind: "staff", id: staff.uid, name: staff.name, address }, () =>
    deps.db.tx(async (tx) => {
      const [same] = await tx.query<{ sealed: Buffer | null }>(
        `select totp_sealed as sealed
         from staff
         where uid = $1 and password_hash = $2 and disabled_at is null
         for update`,
        [staff.uid, staff.passwordHash],
      );
      if (same === undefined) return null;
      const { sealed } = same;
      if (sealed !== null && !(await takeTotpCode(tx, deps, { staffUid: staff.uid, sealed, code: code ?? "" })))
        return null;
      await forgetFailures(tx, keys.person);
      await forgiveAttempt(tx, keys.address);
      await recordAction(tx, deps, { action: "staff.signed_in", subject: { kind: "staff", id: staff.uid } });
      return startSession(tx, deps, { staffUid: staff.uid, address });
    }),
  );
}
