import type { OidcSettings } from "../../oidc-settings.ts";
import { Problem } from "../../problems.ts";

/** Whether people's roles come from the identity provider. */
export function givesRoles(oidc: OidcSettings | null): boolean {
  return oidc !== null && oidc.roles !== null;
}

/** The reason why this service cannot remove a link to the provider; null where it can. */
export function unlinkRefusal(oidc: OidcSettings | null): Problem | null {
  if (!givesRoles(oidc)) return null;
  return new Problem("forbidden", { faults: [{ detail: "the role comes from the identity provider" }] });
}
