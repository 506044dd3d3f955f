import { wasAhead } from "../../db/was-ahead.ts";
import type { Deps } from "../../deps.ts";
import { givesRoles } from "../provider/provider-roles.ts";
import { STAFF_COLUMNS } from "../queries.ts";
import { mustUseProvider } from "../sign-in/must-use-provider.ts";
import { hashToken, isSeenStale, isSessionOver, type SessionTimes, type SignedIn } from "./session.ts";

/**
 * The signed-in person of a token, with their present data. Null: the token is unknown, the session has ended, the person was disabled, or
 * their way to sign in is no longer allowed. Records when the session was last used, at most once a minute, except for polling, which no
 * person requested.
 */
export async function findSession(
  deps: Pick<Deps, "db" | "clock" | "config">,
  token: string,
  { isPoll = false }: { readonly isPoll?: boolean } = {},
): Promise<SignedIn | null> {
  const hash = hashToken(token);
  const [row] = await deps.db.query<SignedIn & SessionTimes & { isOidcOff: boolean }>(
    `select ${STAFF_COLUMNS}, s.created_at as "createdAt", s.seen_at as "seenAt", s.confirmed_at as "confirmedAt",
       s.method, exists (select from sign_in_setting where oidc_off_at is not null) as "isOidcOff"
     from staff_session s
     join staff p on p.uid = s.staff_uid
     where s.token_sha256 = $1 and p.disabled_at is null`,
    [hash],
  );
  const now = deps.clock.now();
  if (row === undefined || isSessionOver(row, now, deps.config)) return null;
  if (await wasAhead(deps, row.createdAt)) return null; // it would last until long after that time (decision 63)
  const { createdAt: _createdAt, seenAt: _seenAt, isOidcOff, ...staff } = row;
  const { oidc } = deps.config;
  if (oidc?.isOnly === true && !isOidcOff && row.method !== "oidc") return null;
  if (row.method === "oidc" && (oidc === null || isOidcOff)) return null;
  // begun before the account was linked, or before the roles came from the provider: it would outlive the company account
  const isOfProvider = givesRoles(oidc) && row.hasIdentity;
  if (row.method !== "oidc" && isOfProvider && (await mustUseProvider(deps.db, deps, row.uid))) return null;
  if (!isPoll && isSeenStale(row, now)) {
    await deps.db.execute("update staff_session set seen_at = $2 where token_sha256 = $1 and seen_at < $2", [
      hash,
      now,
    ]);
  }
  return staff;
}
