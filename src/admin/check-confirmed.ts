import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { CONFIRMED_MINUTES, isConfirmed, type SignedIn } from "../staff/sessions/session.ts";

/** Requires that the signed-in person entered a password or code within the last minutes; otherwise 403 `confirmation_needed`. */
export function checkConfirmed(deps: Pick<Deps, "clock">, staff: SignedIn): void {
  if (isConfirmed(staff, deps.clock.now())) return;
  const detail = `expected the password or a code within the last ${CONFIRMED_MINUTES} minutes: POST /admin/api/session/confirm`;
  throw new Problem("confirmation_needed", { faults: [{ detail }] });
}
