import type { Deps } from "../../deps.ts";
import { isSessionOver, type SessionMethod } from "./session.ts";

/** A session that has not ended. */
export interface ListedSession {
  readonly uid: string;
  readonly method: SessionMethod;
  readonly createdAt: Temporal.Instant;
  /** To the minute. */
  readonly seenAt: Temporal.Instant;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly tokenHash: Buffer;
}

/** A person's sessions, the one that was used last first. */
export async function listSessions(
  deps: Pick<Deps, "db" | "clock" | "config">,
  staffUid: string,
): Promise<ListedSession[]> {
  const now = deps.clock.now();
  const sessions = await deps.db.query<ListedSession>(
    `select uid, method, created_at as "createdAt", seen_at as "seenAt", address, user_agent as "userAgent",
       token_sha256 as "tokenHash"
     from staff_session
     where staff_uid = $1
     order by seen_at desc, uid`,
    [staffUid],
  );
  return sessions.filter((session) => !isSessionOver(session, now, deps.config));
}
