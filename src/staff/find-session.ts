import type { Deps } from "../deps.ts";
import { hashToken, isSeenStale, isSessionOver, type SessionTimes, type SignedIn } from "./session.ts";

/**
 * Who is signed in by a token, as they are now, or null: unknown token, the session has ended, or the person was disabled. Writes
 * when it was last seen, at most once a minute, but of a poll, which no person asked for.
 */
export async function findSession(
  deps: Pick<Deps, "db" | "clock">,
  token: string,
  { isPoll = false }: { readonly isPoll?: boolean } = {},
): Promise<SignedIn | null> {
  const hash = hashToken(token);
  const [row] = await deps.db.query<SignedIn & SessionTimes>(
    `select p.uid, p.email, p.name, p.role, p.language, p.totp_sealed is not null as "hasTotp",
       p.has_made_password as "hasMadePassword", s.created_at as "createdAt", s.seen_at as "seenAt",
       s.confirmed_at as "confirmedAt"
     from staff_session s
     join staff p on p.uid = s.staff_uid
     where s.token_sha256 = $1 and p.disabled_at is null`,
    [hash],
  );
  const now = deps.clock.now();
  if (row === undefined || isSessionOver(row, now)) return null;
  if (!isPoll && isSeenStale(row, now)) {
    await deps.db.execute("update staff_session set seen_at = $2 where token_sha256 = $1 and seen_at < $2", [
      hash,
      now,
    ]);
  }
  const { createdAt: _createdAt, seenAt: _seenAt, ...staff } = row;
  return staff;
}
