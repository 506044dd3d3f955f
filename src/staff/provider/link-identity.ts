import { runAs } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import { findIdentitySession } from "../sessions/find-identity-session.ts";
import type { IdentitySession } from "../sessions/identity-session.ts";
import { readConfirmedUntil } from "../sessions/read-confirmed-until.ts";
import { insertIdentity } from "./identity-queries.ts";
import type { OidcRefusal, ProviderPerson } from "./oidc-claims.ts";

type LinkOutcome = { readonly kind: "linked" } | { readonly kind: "refused"; readonly why: OidcRefusal };

/**
 * Links the account of a session to the person whom the provider authenticated. Only in a session that is confirmed, and never where the
 * subject is linked to another account, because one person has one account.
 */
export async function linkIdentity(
  deps: Pick<Deps, "db" | "clock" | "config">,
  { issuer, subject }: ProviderPerson,
  { hash, address }: IdentitySession,
): Promise<LinkOutcome> {
  const now = deps.clock.now();
  const found = await deps.db.tx((tx) => findIdentitySession(tx, deps, hash));
  if (found === null || (await readConfirmedUntil(deps, found)) === null) return { kind: "refused", why: "session" };
  const { staffUid, name } = found;
  return runAs({ kind: "staff", id: staffUid, name, address }, () =>
    deps.db.tx(async (tx): Promise<LinkOutcome> => {
      const isThere = (await findIdentitySession(tx, deps, hash)) !== null;
      if (!isThere) return { kind: "refused", why: "session" };
      const isLinked = await insertIdentity(tx, { issuer, subject, staffUid, now });
      return isLinked ? { kind: "linked" } : { kind: "refused", why: "taken" };
    }),
  );
}
