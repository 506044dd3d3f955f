import type { Deps } from "../../deps.ts";
import { addressKey } from "../../http/address-key.ts";
import { Problem } from "../../problems.ts";
import { hashToken } from "../sessions/session.ts";
import { countAttempt } from "../sign-in/attempt-queries.ts";
import { ADDRESS_RULE } from "../sign-in/lockout.ts";

/** A valid link and its person. */
export interface OpenLink {
  readonly staffUid: string;
  readonly name: string;
  readonly email: string;
  readonly kind: "invitation" | "reset";
  readonly expiresAt: Temporal.Instant;
}

/**
 * The person of a link's token. 404 `link_not_found`, the same for a link that never existed, was used, has expired or was replaced, and for a
 * person who was disabled; 429 after too many such tokens from one address. A valid token is always accepted: 256 bits cannot be guessed, and
 * guesses by others must not lock out a person at the same address.
 */
export async function readLink(
  deps: Pick<Deps, "db" | "clock">,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<OpenLink> {
  const [link] = await deps.db.query<OpenLink>(
    `select p.uid as "staffUid", p.name, p.email, l.kind, l.expires_at as "expiresAt"
     from staff_link l
     join staff p on p.uid = l.staff_uid
     where l.token_sha256 = $1 and l.expires_at > $2 and p.disabled_at is null`,
    [hashToken(token), deps.clock.now()],
  );
  if (link !== undefined) return link;
  await countAttempt(deps, [{ key: `link/${addressKey(address)}`, rule: ADDRESS_RULE }]);
  throw new Problem("link_not_found");
}
