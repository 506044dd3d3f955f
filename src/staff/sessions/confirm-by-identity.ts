import { runAs } from "../../actor.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { selectIdentity } from "../provider/identity-queries.ts";
import type { OidcRefusal, ProviderPerson } from "../provider/oidc-claims.ts";
import { findIdentitySession } from "./find-identity-session.ts";
import type { IdentitySession } from "./identity-session.ts";
import { CONFIRMED_MINUTES } from "./session.ts";

type ConfirmOutcome = { readonly kind: "confirmed" } | { readonly kind: "refused"; readonly why: OidcRefusal };

/** Confirms a session by its person's sign-in at the provider within the last minutes; a sign-in that it only remembers does not count. */
export async function confirmByIdentity(
  deps: Pick<Deps, "db" | "clock" | "config">,
  person: ProviderPerson,
  { hash, address }: IdentitySession,
): Promise<ConfirmOutcome> {
  const { authTimeS } = person;
  const isRecent = authTimeS !== null && Date.now() / 1_000 - authTimeS < CONFIRMED_MINUTES * 60;
  const found = await deps.db.tx((tx) => findIdentitySession(tx, deps, hash));
  if (found === null) return { kind: "refused", why: "session" };
  const { staffUid, name } = found;
  return runAs({ kind: "staff", id: staffUid, name, address }, () =>
    deps.db.tx(async (tx): Promise<ConfirmOutcome> => {
      const identity = await selectIdentity(tx, person);
      const why = identity?.staffUid !== staffUid ? "other_person" : isRecent ? null : "not_recent";
      if (why !== null || identity?.roleLostAt !== null) {
        const subject = { kind: "staff", id: staffUid };
        await recordAction(tx, deps, { action: "staff.check_failed", subject, after: { by: "oidc" } });
        return { kind: "refused", why: why ?? "no_role" };
      }
      const set = "update staff_session set confirmed_at = clock_timestamp() where token_sha256 = $1";
      const isThere = (await tx.execute(set, [hash])) === 1;
      return isThere ? { kind: "confirmed" } : { kind: "refused", why: "session" };
    }),
  );
}
