import { addressSetting } from "./config-groups.ts";
import { ConfigError, type Env, flagSetting, listSetting, numberSetting, textSetting } from "./environment.ts";
import { ROLES, type Role } from "./wire/access.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Sign-in through the company's identity provider (docs/people.md, "OpenID Connect"). */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** The label of the button. */
  readonly name: string;
  /**
   * The claim that contains the roles, with dots for nested objects, and the role for each value, the most powerful first. Null: roles are assigned
   * here.
   */
  readonly roles: { readonly claim: string; readonly values: readonly (readonly [value: string, role: Role])[] } | null;
  /** Whether there is no other way to sign in. */
  readonly isOnly: boolean;
  /** Whether a verified e-mail address links a person to the account with that address. */
  readonly linksByEmail: boolean;
  /** A session ends after this many hours; then the person has to sign in at the provider again. */
  readonly sessionHours: number;
  /** The accepted authentication methods at the provider (`acr`); empty: any. */
  readonly acrs: readonly string[];
}

/** Returns how people sign in through the provider; null: they do not. Throws ConfigError. */
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
