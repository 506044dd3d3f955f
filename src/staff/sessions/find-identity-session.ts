import type { Tx } from "../../db/pool.ts";
import { wasAhead } from "../../db/was-ahead.ts";
import type { Deps } from "../../deps.ts";
import { isSessionOver, type SessionMethod } from "./session.ts";

export interface LockedSession {
  readonly staffUid: string;
  readonly name: string;
  readonly createdAt: Temporal.Instant;
  readonly seenAt: Temporal.Instant;
  readonly confirmedAt: Temporal.Instant;
  readonly method: SessionMethod;
}

/** A session by the digest of its token, locked; null where it has ended, or its person was disabled. */
export async function findIdentitySession(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config">,
  hash: Buffer,
): Promise<LockedSession | null> {
  const [session] = await tx.query<LockedSession>(
    `select s.staff_uid as "staffUid", p.name, s.created_at as "createdAt", s.seen_at as "seenAt",
       s.confirmed_at as "confirmedAt", s.method
     from staff_session s
     join staff p on p.uid = s.staff_uid
     where s.token_sha256 = $1 and p.disabled_at is null
     for update of s`,
    [hash],
  );
  if (session === undefined || isSessionOver(session, deps.clock.now(), deps.config)) return null;
  return (await wasAhead({ db: tx, clock: deps.clock }, session.createdAt)) ? null : session;
}
