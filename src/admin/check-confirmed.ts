import { Problem } from "../problems.ts";
import { readConfirmedUntil } from "../staff/sessions/read-confirmed-until.ts";
import { CONFIRMED_MINUTES, type SignedIn } from "../staff/sessions/session.ts";

/** Requires that the signed-in person entered a password or code within the last minutes; otherwise 403 `confirmation_needed`. */
export async function checkConfirmed(deps: Parameters<typeof readConfirmedUntil>[0], staff: SignedIn): Promise<void> {
  if ((await readConfirmedUntil(deps, staff)) !== null) return;
  const detail = `expected the password or a code within the last ${CONFIRMED_MINUTES} minutes: POST /admin/api/session/confirm`;
  throw new Problem("confirmation_needed", { faults: [{ detail }] });
}
