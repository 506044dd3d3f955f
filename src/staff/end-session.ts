import type { Deps } from "../deps.ts";
import { hashToken } from "./session.ts";

/** Ends the session of a token; nothing where there is none. */
export async function endSession(deps: Pick<Deps, "db">, token: string): Promise<void> {
  await deps.db.execute("delete from staff_session where token_sha256 = $1", [hashToken(token)]);
}
