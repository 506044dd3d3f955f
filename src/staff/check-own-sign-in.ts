import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { isOidcOn } from "./identity-queries.ts";

/** Refuses ways to sign in of the service's own where there is only the provider's: 403 `oidc_only`. */
export async function checkOwnSignIn(deps: Pick<Deps, "db" | "config">): Promise<void> {
  if (deps.config.oidc?.isOnly === true && (await isOidcOn(deps))) throw new Problem("oidc_only");
}
