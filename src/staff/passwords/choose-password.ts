import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { invalid, Problem } from "../../problems.ts";
import type { Language } from "../../wire/language.ts";
import { readLink } from "../links/read-link.ts";
import { HAS_FACTOR } from "../queries.ts";
import { hashToken } from "../sessions/session.ts";
import { type StartedSession, startSession } from "../sessions/start-session.ts";
import { checkOwnSignIn } from "../sign-in/check-own-sign-in.ts";
import { mustUseProvider } from "../sign-in/must-use-provider.ts";
import { passwordFault } from "../staff.ts";
import { hashPassword } from "./hash-password.ts";

/** The input of the page behind a link. */
export interface ChosenPassword {
  readonly token: string;
  readonly password: string;
  /** The language of the page; stored if the person has not chosen one yet. */
  readonly language?: Language | null;
  readonly address: string;
  readonly userAgent?: string | null;
}

/**
 * Sets the password that a person chose with their link, which can be used only once, also with concurrent requests. Returns a session, or
 * null where they need more to sign in: a second factor, or the identity provider. 404 and 429 of `readLink`; 422 for a password that is
 * not accepted, after which the link still works.
 */
export async function choosePassword(
  deps: Pick<Deps, "db" | "clock" | "config" | "random" | "secretBox">,
  { token, password, language = null, address, userAgent = null }: ChosenPassword,
): Promise<StartedSession | null> {
  await checkOwnSignIn(deps);
  const { staffUid, name, email } = await readLink(deps, { token, address });
  const fault = passwordFault(password, email);
  if (fault !== null) throw invalid("/password", fault);
  const passwordHash = await hashPassword(deps, password);
  return runAs({ kind: "staff", id: staffUid, name, address }, () =>
    deps.db.tx(async (tx) => {
      const used = await tx.execute("delete from staff_link where token_sha256 = $1 and expires_at > $2", [
        hashToken(token),
        deps.clock.now(),
      ]);
      if (used === 0) throw new Problem("link_not_found");
      const [staff] = await tx.query<{ hasFactor: boolean }>(
        `update staff p
         set password_hash = $2, has_made_password = false, password_until = null, password_at = $3,
           language = coalesce(language, $4)
         where uid = $1 and disabled_at is null
         returning ${HAS_FACTOR} as "hasFactor"`,
        [staffUid, passwordHash, deps.clock.now(), language],
      );
      if (staff === undefined) throw new Problem("link_not_found");
      const subject = { kind: "staff", id: staffUid };
      await recordAction(tx, deps, { action: "staff.password_chosen", subject });
      if (staff.hasFactor || (await mustUseProvider(tx, deps, staffUid))) return null;
      return startSession(tx, deps, { staffUid, address, userAgent, device: null, method: "password" });
    }),
  );
}
