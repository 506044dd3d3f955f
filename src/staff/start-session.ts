import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { hashToken, sessionToken } from "./session.ts";

/** Begins a person's session; answers its token, which is told this once. */
export async function startSession(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { staffUid, address }: { readonly staffUid: string; readonly address: string },
): Promise<string> {
  const token = sessionToken(deps.random.bytes(32));
  await tx.execute(
    `insert into staff_session (token_sha256, staff_uid, created_at, seen_at, address)
     values ($1, $2, $3, $3, $4)`,
    [hashToken(token), staffUid, deps.clock.now(), address],
  );
  return token;
}
