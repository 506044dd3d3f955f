import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { hashToken, LINK_DAYS, randomToken } from "../sessions/session.ts";

/** A link with which its person chooses a password. The token is shown only once. */
export interface MadeLink {
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
}

/** Creates a person's link; it replaces an earlier one. */
export async function makeLink(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { staffUid, kind }: { readonly staffUid: string; readonly kind: "invitation" | "reset" },
): Promise<MadeLink> {
  const token = randomToken(deps.random.bytes(32));
  const now = deps.clock.now();
  const expiresAt = now.add({ hours: 24 * LINK_DAYS });
  await tx.execute(
    `insert into staff_link (staff_uid, token_sha256, kind, created_at, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (staff_uid) do update
     set token_sha256 = excluded.token_sha256, kind = excluded.kind, created_at = excluded.created_at,
       expires_at = excluded.expires_at`,
    [staffUid, hashToken(token), kind, now, expiresAt],
  );
  return { token, expiresAt };
}
