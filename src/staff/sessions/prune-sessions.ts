import type { Deps } from "../../deps.ts";
import { deleteConsumedTokens } from "../provider/identity-queries.ts";
import { FORGOTTEN_HOURS } from "../sign-in/lockout.ts";
import { DEVICE_DAYS, IDLE_HOURS, SESSION_DAYS } from "./session.ts";

/** Deletes sessions and links that have expired, and old records of browsers and failures; returns how many. */
export async function pruneSessions(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  const now = deps.clock.now();
  const sessions = await deps.db.execute("delete from staff_session where seen_at <= $1 or created_at <= $2", [
    now.subtract({ hours: IDLE_HOURS }),
    now.subtract({ hours: SESSION_DAYS * 24 }),
  ]);
  const failures = await deps.db.execute("delete from sign_in_failure where failed_at <= $1 and locked_until <= $2", [
    now.subtract({ hours: FORGOTTEN_HOURS }),
    now,
  ]);
  const links = await deps.db.execute("delete from staff_link where expires_at <= $1", [now]);
  const devices = await deps.db.execute("delete from staff_device where seen_at <= $1", [
    now.subtract({ hours: DEVICE_DAYS * 24 }),
  ]);
  const spent = await deleteConsumedTokens(deps.db);
  return sessions + failures + links + devices + spent;
}
