import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { addressKey } from "../../http/address-key.ts";
import { Problem } from "../../problems.ts";
import { checkPasskey } from "../passkeys/check-passkey.ts";
import type { PasskeyAnswer } from "../passkeys/passkey-answer.ts";
import { selectStaff } from "../queries.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { countAttempt, uncountAttempt } from "./attempt-queries.ts";
import { checkOwnSignIn } from "./check-own-sign-in.ts";
import { ADDRESS_RULE } from "./lockout.ts";
import { mustUseProvider } from "./must-use-provider.ts";
import { recordRefusal } from "./record-refusal.ts";

export interface PasskeyAttempt {
  readonly answer: PasskeyAnswer;
  readonly address: string;
  readonly userAgent: string | null;
  readonly device: string | null;
}

/**
 * Signs in with a passkey only, which is two factors: the device, and its check of the user. 401 for a passkey that is not valid, 429 after too
 * many of them from one address. A response cannot be guessed, so failures lock no account.
 */
export async function signInByPasskey(
  deps: Pick<Deps, "db" | "clock" | "config" | "random" | "secretBox">,
  { answer, address, userAgent, device }: PasskeyAttempt,
): Promise<StartedSession> {
  await checkOwnSignIn(deps);
  const key = `address/${addressKey(address)}`;
  await countAttempt(deps, [{ key, rule: ADDRESS_RULE }]);
  const actor = { kind: "staff", id: null, name: "unknown", address } as const;
  const { staff, session } = await runAs(actor, () =>
    deps.db.tx(async (tx) => {
      const found = await checkPasskey(tx, deps, { answer, use: "sign_in", staffUid: null, ownerUid: null });
      const staff = found === null ? undefined : await selectStaff(tx, found.staffUid);
      const isOpen = staff !== undefined && staff.disabledAt === null && !(await mustUseProvider(tx, deps, staff.uid));
      if (!isOpen) return { staff, session: null };
      await uncountAttempt(tx, key);
      const start = { staffUid: staff.uid, address, userAgent, device, method: "passkey" } as const;
      return { staff, session: await startSession(tx, deps, start) };
    }),
  );
  if (staff === undefined || session === null) {
    await recordRefusal(deps, { staffUid: staff?.uid ?? null, actor, after: { by: "passkey" } });
    throw new Problem("invalid_sign_in");
  }
  await runAs({ kind: "staff", id: staff.uid, name: staff.name, address }, () =>
    recordAction(deps.db, deps, {
      action: "staff.signed_in",
      subject: { kind: "staff", id: staff.uid },
      after: { by: "passkey" },
    }),
  );
  return session;
}
