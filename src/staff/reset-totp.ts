import { canOpen } from "../credentials/secret-box.ts";
import type { Deps } from "../deps.ts";
import { selectSealedTotp } from "./queries.ts";
import { removeTotp } from "./remove-totp.ts";

/**
 * Turns second factors off that the secret key at hand does not open, of which no code can be checked, and signs the people out: they
 * sign in by password and enrol again. Returns their e-mails; a dry run does nothing else.
 */
export async function resetTotp(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<string[]> {
  const isLost = (sealed: Buffer | null) => sealed !== null && !canOpen(deps.secretBox, sealed);
  const lost = (await selectSealedTotp(deps.db)).filter(({ totp, draft }) => isLost(totp) || isLost(draft));
  for (const { uid } of isDryRun ? [] : lost) await removeTotp(deps, uid);
  return lost.map(({ email }) => email);
}
