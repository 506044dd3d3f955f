import type { Deps } from "../deps.ts";
import { canOpen } from "../shop/secret-box.ts";
import { removeTotp } from "./remove-totp.ts";
import { type SealedTotp, selectSealedTotp } from "./reseal-totp.ts";

type ResetDeps = Pick<Deps, "db" | "clock" | "random" | "secretBox">;

/** People whose second factor the secret key at hand does not open: no code of theirs can be checked. */
export async function listLostTotp(deps: ResetDeps): Promise<SealedTotp[]> {
  const isLost = (sealed: Buffer | null) => sealed !== null && !canOpen(deps.secretBox, sealed);
  return (await selectSealedTotp(deps)).filter(({ totp, draft }) => isLost(totp) || isLost(draft));
}

/** Turns those second factors off and signs the people out: they sign in by password and enrol again. Returns their e-mails. */
export async function resetTotp(deps: ResetDeps): Promise<string[]> {
  const lost = await listLostTotp(deps);
  for (const { uid } of lost) await removeTotp(deps, uid);
  return lost.map(({ email }) => email);
}
