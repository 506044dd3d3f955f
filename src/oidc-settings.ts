import { addressSetting } from "./config-groups.ts";
import { ConfigError, type Env, flagSetting, listSetting, numberSetting, textSetting } from "./environment.ts";
import { ROLES, type Role } from "./wire/access.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Sign-in by the company's own identity (docs/dashboard.md, "OpenID Connect"). */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** What stands on the button. */
  readonly name: string;
  /** Where the roles stand in what the provider says, dots leading into objects; what each value gives, the most first. Null: roles are given here. */
  readonly roles: { readonly claim: string; readonly values: readonly (readonly [value: string, role: Role])[] } | null;
  /** Whether there is no other way to sign in. */
  readonly isOnly: boolean;
  /** Whether a verified e-mail address links somebody to the account that has it. */
  readonly linksByEmail: boolean;
  /** A session ends after so many hours: then the provider is asked again. */
  readonly sessionHours: number;
  /** Ways of authentication at the provider, one of which it must have been (`acr`); none: any. */
  readonly acrs: readonly string[];
}

/** Returns how people sign in by their provider; null: they do not. Throws ConfigError. */
export function oidcSettings(env: Env): OidcSettings | null {
  const issuer = addressSetting(env, "POINTKEEPER_OIDC_ISSUER");
  const clientId = textSetting(env, "POINTKEEPER_OIDC_CLIENT_ID");
  const given = {
    clientSecret: textSetting(env, "POINTKEEPER_OIDC_CLIENT_SECRET"),
    scopes: textSetting(env, "POINTKEEPER_OIDC_SCOPES") ?? "openid email profile",
    name: textSetting(env, "POINTKEEPER_OIDC_NAME") ?? "OpenID Connect",
    roles: oidcRoles(env),
    isOnly: flagSetting(env, "POINTKEEPER_OIDC_ONLY"),
    linksByEmail: flagSetting(env, "POINTKEEPER_OIDC_LINK_BY_EMAIL"),
    sessionHours: numberSetting(env, "POINTKEEPER_OIDC_SESSION_HOURS", { fallback: 12, min: 1, max: 336 }),
    acrs: listSetting(env, "POINTKEEPER_OIDC_ACR"),
  };
  if (issuer === undefined) {
    if (given.isOnly)
      throw new ConfigError("POINTKEEPER_OIDC_ONLY needs POINTKEEPER_OIDC_ISSUER: nobody could sign in.");
    return null;
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !LOOPBACK.has(hostname))
    throw new ConfigError("POINTKEEPER_OIDC_ISSUER must be an https address.");
  if (clientId === undefined)
    throw new ConfigError("POINTKEEPER_OIDC_CLIENT_ID must be set when POINTKEEPER_OIDC_ISSUER is.");
  if (!given.scopes.split(" ").includes("openid"))
    throw new ConfigError("POINTKEEPER_OIDC_SCOPES must have openid among them.");
  return { issuer, clientId, ...given };
}

function oidcRoles(env: Env): OidcSettings["roles"] {
  const claim = textSetting(env, "POINTKEEPER_OIDC_ROLE_CLAIM");
  const pairs = listSetting(env, "POINTKEEPER_OIDC_ROLES").map((pair): readonly [string, Role] => {
    const at = pair.indexOf("=");
    const role = ROLES.find((one) => one === pair.slice(0, at).trim());
    const value = pair.slice(at + 1).trim();
    if (role === undefined || value === "")
      throw new ConfigError(
        `POINTKEEPER_OIDC_ROLES must be role=value pairs with commas, of ${ROLES.join(", ")}, not "${pair}".`,
      );
    return [value, role];
  });
  if ((claim === undefined) !== (pairs.length === 0))
    throw new ConfigError("POINTKEEPER_OIDC_ROLE_CLAIM and POINTKEEPER_OIDC_ROLES are set together or not at all.");
  if (claim === undefined) return null;
  return { claim, values: pairs.toSorted(([, a], [, b]) => ROLES.indexOf(a) - ROLES.indexOf(b)) };
}
