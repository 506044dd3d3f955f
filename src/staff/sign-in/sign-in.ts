import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { addressKey } from "../../http/address-key.ts";
import { type Fault, Problem } from "../../problems.ts";
import { checkPasskey } from "../passkeys/check-passkey.ts";
import type { PasskeyAnswer } from "../passkeys/passkey-answer.ts";
import { checkPassword } from "../passwords/check-password.ts";
import { HAS_FACTOR, isKnownDevice, type StaffRow, selectStaffByEmail } from "../queries.ts";
import { consumeRecoveryCode } from "../second-factor/consume-recovery-code.ts";
import { consumeTotpCode } from "../second-factor/consume-totp-code.ts";
import { hashToken } from "../sessions/session.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { type AttemptKey, countAttempt, deleteFailures, uncountAttempt } from "./attempt-queries.ts";
import { checkOwnSignIn } from "./check-own-sign-in.ts";
import { ADDRESS_RULE, EMAIL_RULE, emailHash, PERSON_RULE } from "./lockout.ts";
import { mustUseProvider } from "./must-use-provider.ts";
import { recordRefusal } from "./record-refusal.ts";

type SignInDeps = Pick<Deps, "db" | "clock" | "config" | "random" | "secretBox">;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** A code of the second factor: from the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  /** Instead of a code. */
  readonly passkey?: PasskeyAnswer | undefined;
  readonly address: string;
  readonly userAgent?: string | null;
  /** The token that identifies a known browser; null where it has none. */
  readonly device?: string | null;
}

/** The keys of the attempt's failures. A successful sign-in resets the first; for the others only this attempt is undone. */
type Keys = readonly [own: AttemptKey, ...shared: AttemptKey[]];

/**
 * Signs a person in; returns the tokens of the session and of the browser. 401 `invalid_sign_in`, with the same response and work whether the
 * e-mail is known or not; with the detail "code required" where the password is right and the second factor is missing. 429 with a growing
 * time to wait after too many failures of the e-mail from the address, of the address, or of the e-mail from anywhere; for a browser that
 * signed this person in before, only its own failures count. 503 where too many passwords are being checked.
 */
export async function signIn(deps: SignInDeps, attempt: SignInAttempt): Promise<StartedSession> {
  await checkOwnSignIn(deps);
  const email = attempt.email.trim().toLowerCase();
  const { device = null } = attempt;
  const isKnown = device !== null && (await isKnownDevice(deps.db, { token: hashToken(device), email }));
  const keys = isKnown ? keysOfDevice(device) : keysOfStranger(email, attempt.address);
  const counted = await countAttempt(deps, keys);
  const staff = await selectStaffByEmail(deps.db, email);
  const hash = staff?.passwordHash ?? null;
  const isRight = await checkPassword(deps, hash, attempt.password, isKnown ? "known" : "stranger").catch(
    async (error) => {
      await forgive(deps, keys);
      throw error;
    },
  );
  if (staff === undefined || !isRight || staff.disabledAt !== null) {
    return refuse(deps, { attempt, staff, hasLocked: counted.hasLocked });
  }
  const faults = factorFaults(staff);
  if (faults.length > 0 && attempt.code === undefined && attempt.passkey === undefined) {
    await forgive(deps, keys);
    throw new Problem("invalid_sign_in", { faults });
  }
  const started = await admit(deps, { staff, attempt, keys, device: isKnown ? device : null });
  return started ?? refuse(deps, { attempt, staff, hasLocked: counted.hasLocked });
}

/**
 * What is required in addition to the password: a code of the app or a passkey; one of them is enough. Where every passkey may have been
 * copied, a recovery code.
 */
function factorFaults({ hasFactor, totpSealed, passkeys }: StaffRow): Fault[] {
  if (!hasFactor) return [];
  return [
    ...(totpSealed === null && passkeys > 0 ? [] : [{ pointer: "/code", detail: "code required" }]),
    ...(passkeys === 0 ? [] : [{ pointer: "/passkey", detail: "passkey required" }]),
  ];
}

function keysOfDevice(device: string): Keys {
  return [{ key: `device/${hashToken(device).toString("hex")}`, rule: PERSON_RULE }];
}

function keysOfStranger(email: string, address: string): Keys {
  const hash = emailHash(email);
  const from = addressKey(address);
  return [
    { key: `pair/${hash}/${from}`, rule: PERSON_RULE },
    { key: `address/${from}`, rule: ADDRESS_RULE },
    { key: `email/${hash}`, rule: EMAIL_RULE },
  ];
}

/** An attempt that was not checked to its end is not a failure. */
async function forgive({ db }: SignInDeps, keys: Keys): Promise<void> {
  for (const { key } of keys) await uncountAttempt(db, key);
}

interface Refused {
  readonly attempt: SignInAttempt;
  readonly staff: StaffRow | undefined;
  readonly hasLocked: boolean;
}

async function refuse(deps: SignInDeps, { attempt, staff, hasLocked }: Refused): Promise<never> {
  const staffUid = staff?.uid ?? null;
  const actor = { kind: "staff", id: staffUid, name: staff?.name ?? "unknown", address: attempt.address } as const;
  await recordRefusal(deps, { staffUid, actor, hasLocked });
  throw new Problem("invalid_sign_in");
}

interface Admitted {
  readonly staff: StaffRow;
  readonly attempt: SignInAttempt;
  readonly keys: Keys;
  readonly device: string | null;
}

/**
 * Starts the session. Null where the person was disabled or got another password meanwhile, a generated password has expired, or the code is
 * wrong.
 */
function admit(deps: SignInDeps, { staff, attempt, keys, device }: Admitted): Promise<StartedSession | null> {
  const { uid: staffUid, name } = staff;
  const { address, userAgent = null } = attempt;
  const [own, ...shared] = keys;
  return runAs({ kind: "staff", id: staffUid, name, address }, () =>
    deps.db.tx(async (tx) => {
      const same = await lockSame(tx, deps, staff);
      if (same === null) return null;
      if (await mustUseProvider(tx, deps, staffUid)) return null;
      if (!(await takeFactor(tx, deps, { staffUid, attempt, ...same }))) return null;
      // A generated password ends with its first use; another has to be chosen in the session that it opens.
      if (staff.hasMadePassword)
        await tx.execute("update staff set password_until = $2 where uid = $1", [staffUid, deps.clock.now()]);
      await deleteFailures(tx, own.key);
      for (const { key } of shared) await uncountAttempt(tx, key);
      await recordAction(tx, deps, { action: "staff.signed_in", subject: { kind: "staff", id: staffUid } });
      return startSession(tx, deps, { staffUid, address, device, userAgent, method: "password" });
    }),
  );
}

interface Factors {
  /** The encrypted secret of the authenticator app; null where it is off. */
  readonly sealed: Buffer | null;
  readonly hasFactor: boolean;
}

/** Whether the second factor is right, or none is required. */
async function takeFactor(
  tx: Tx,
  deps: SignInDeps,
  { staffUid, attempt, sealed, hasFactor }: Factors & { readonly staffUid: string; readonly attempt: SignInAttempt },
): Promise<boolean> {
  const { code, passkey: answer } = attempt;
  if (!hasFactor) return true;
  if (answer !== undefined)
    return (await checkPasskey(tx, deps, { answer, use: "sign_in", staffUid: null, ownerUid: staffUid })) !== null;
  if (code === undefined) return false;
  if (sealed !== null && (await consumeTotpCode(tx, deps, { staffUid, sealed, code }))) return true;
  return consumeRecoveryCode(tx, deps, { staffUid, code });
}

/** The person's second factors, read under the lock of the row; null where the password that was checked is no longer valid. */
async function lockSame(tx: Tx, deps: SignInDeps, { uid, passwordHash }: StaffRow): Promise<Factors | null> {
  const [same] = await tx.query<Factors>(
    `select totp_sealed as sealed, ${HAS_FACTOR} as "hasFactor"
     from staff p
     where uid = $1 and password_hash = $2 and disabled_at is null
       and (password_until is null or password_until > $3)
     for update of p`,
    [uid, passwordHash, deps.clock.now()],
  );
  return same ?? null;
}
