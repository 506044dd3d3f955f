import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { DEVICES_MAX, hashToken, randomToken, type SessionMethod } from "./session.ts";

/** The tokens of a browser, shown only once: of its session, and the one that identifies it at its next sign-in. */
export interface StartedSession {
  readonly token: string;
  readonly deviceToken: string;
}

interface Start {
  readonly staffUid: string;
  readonly address: string;
  /** The browser's token as it was sent; null: it sent none. */
  readonly device: string | null;
  /** The `user-agent` header; null where it was not sent. */
  readonly userAgent: string | null;
  readonly method: SessionMethod;
  /** How long ago the person was authenticated. Absent: now. */
  readonly confirmedAgoS?: number;
}

const USER_AGENT_LENGTH_MAX = 300;
/** The most sessions of one person; older ones end, so that a script that signs in fills no table. */
const SESSIONS_MAX = 50;
const SEALED_LENGTH = 3;

/**
 * Starts a person's session, confirmed now, and remembers the browser; each person's newest 20 browsers are kept. A browser keeps its token only if
 * it was given to this person: somebody else may have set it there, to be known as this person's browser elsewhere.
 */
export async function startSession(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "secretBox">,
  { staffUid, address, device, userAgent, method, confirmedAgoS = 0 }: Start,
): Promise<StartedSession> {
  const token = sealedToken(deps);
  const now = deps.clock.now();
  await tx.execute(
    `insert into staff_session (uid, token_sha256, staff_uid, created_at, seen_at, confirmed_at, address, user_agent, method)
     values ($1, $2, $3, $4, $4, clock_timestamp() - make_interval(secs => $5), $6, $7, $8)`,
    [
      ...[deps.random.uid(), hashToken(token), staffUid, now, confirmedAgoS, address],
      ...[userAgent === null ? null : userAgent.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed(), method],
    ],
  );
  await tx.execute(
    `delete from staff_session
     where token_sha256 in (
       select token_sha256 from staff_session where staff_uid = $1 order by created_at desc, uid desc offset $2)`,
    [staffUid, SESSIONS_MAX],
  );
  const deviceToken = (await renewDevice(tx, { staffUid, device, now })) ?? randomToken(deps.random.bytes(32));
  await tx.execute(
    `insert into staff_device (token_sha256, staff_uid, created_at, seen_at)
     values ($1, $2, $3, $3)
     on conflict (token_sha256) do nothing`,
    [hashToken(deviceToken), staffUid, now],
  );
  await tx.execute(
    `delete from staff_device
     where token_sha256 in (
       select token_sha256 from staff_device where staff_uid = $1 order by seen_at desc, token_sha256 offset $2)`,
    [staffUid, DEVICES_MAX],
  );
  return { token, deviceToken };
}

/**
 * Returns a token that shows that this store made it (`isSealedToken`): nobody else can seal with its secret key, and the seal's nonce has 96 random
 * bits. The sealed characters make it as long as any other token, which is all that earlier versions look at.
 */
function sealedToken({ random, secretBox }: Pick<Deps, "random" | "secretBox">): string {
  return randomToken(secretBox.seal(randomToken(random.bytes(3)).slice(0, SEALED_LENGTH)));
}

/** Returns the token of a browser that is known as this person's, from now on again; null: it is not. */
async function renewDevice(
  tx: Tx,
  { staffUid, device, now }: Pick<Start, "staffUid" | "device"> & { readonly now: Temporal.Instant },
): Promise<string | null> {
  if (device === null) return null;
  const renewed = await tx.execute("update staff_device set seen_at = $3 where token_sha256 = $1 and staff_uid = $2", [
    hashToken(device),
    staffUid,
    now,
  ]);
  return renewed === 0 ? null : device;
}
