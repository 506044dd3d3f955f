import { canOpen } from "../../credentials/secret-box.ts";
import type { Deps } from "../../deps.ts";
import { selectSealedTotp } from "../queries.ts";
import { removeTotp } from "./remove-totp.ts";

/**
 * Turns off the second factors whose secret the present key does not decrypt, because their codes cannot be checked, and signs these people
 * out: they sign in with the password and set up a factor again. Returns their e-mails; a dry run does nothing else.
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
