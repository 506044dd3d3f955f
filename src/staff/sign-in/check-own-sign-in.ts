import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { isOidcOn } from "../provider/identity-queries.ts";

/** Refuses the service's own ways to sign in where only the identity provider is allowed: 403 `oidc_only`. */
export async function checkOwnSignIn(deps: Pick<Deps, "db" | "config">): Promise<void> {
  if (deps.config.oidc?.isOnly === true && (await isOidcOn(deps))) throw new Problem("oidc_only");
}
