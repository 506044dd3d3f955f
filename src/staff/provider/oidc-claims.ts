import type { OidcSettings } from "../../oidc-settings.ts";
import type { Role } from "../../wire/access.ts";
import { normalEmail, normalName } from "../staff.ts";

/** The claims of a person, from the ID token and the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Why a person whom the provider knows may not sign in; the page explains it. */
export type OidcRefusal =
  | "state" // the attempt is too old, was finished already, or began in another browser
  | "cancelled" // the person or the provider ended it
  | "unreachable" // the provider does not respond, or not as it should
  | "invalid" // what it sent does not hold
  | "too_many" // attempts from the address that did not hold
  | "acr" // not by one of the ways that the settings demand
  | "no_role"
  | "no_account"
  | "no_email"
  | "email_taken"
  | "taken" // linked to another account, or the account to another subject
  | "disabled"
  | "last_owner"
  | "other_person"
  | "not_recent"
  | "session"; // the session that it was for has ended

/** The person as the provider describes them. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Null where there is none, or it is not verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** The role by the settings; null where there is none. */
  readonly role: Role | null;
  /** When they last authenticated, in seconds since 1970; null where the provider does not send it. */
  readonly authTimeS: number | null;
  readonly acr: string | null;
}

/** Parses the claims. An e-mail counts only where the provider reports that it verified it. */
export function personOf(claims: Claims, roles: OidcSettings["roles"]): ProviderPerson {
  const {
    iss,
    sub,
    email,
    email_verified: isVerified,
    name,
    preferred_username: username,
    auth_time: time,
    acr,
  } = claims;
  const address =
    typeof email === "string" && (isVerified === true || isVerified === "true") ? verifiedEmail(email) : null;
  const label = [name, username, address].find((one): one is string => typeof one === "string" && one.trim() !== "");
  return {
    issuer: String(iss),
    subject: String(sub),
    email: address,
    name: label === undefined ? null : normalName(label.slice(0, 100)),
    role: roles === null ? null : roleOf(claims, roles),
    authTimeS: typeof time === "number" ? time : null,
    acr: typeof acr === "string" ? acr : null,
  };
}

/** Null also for capital letters beyond A to Z: some become Latin letters in lower case, and the address would be somebody else's. */
function verifiedEmail(text: string): string | null {
  const email = normalEmail(text);
  return email === text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ? email : null;
}

/** The highest role that the values of the claim give; null where there is none. */
function roleOf(claims: Claims, { claim, values }: NonNullable<OidcSettings["roles"]>): Role | null {
  const found = valueAt(claims, claim);
  const said = new Set(typeof found === "string" ? [found] : Array.isArray(found) ? found : []);
  return values.find(([value]) => said.has(value))?.[1] ?? null;
}

/** A claim by its name, or by a path of names with dots: `realm_access.roles`. A name that contains dots itself is tried first. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Claims)[name]; // cast: an object that has the property
  }
  return value;
}

/**
 * Combines the claims of the ID token and of the userinfo endpoint. An e-mail and whether it is verified come from the same source, and the roles
 * from the token if it has them. When and how the person signed in comes only from the token, because userinfo is about an account, and people may
 * edit its contents.
 */
export function claimsOfBoth(token: Claims, page: Claims, roles: OidcSettings["roles"]): Claims {
  const { email, email_verified: isVerified } = token["email"] === undefined ? page : token;
  const { auth_time: time, acr } = token;
  // `realm_access` of the token, for example, has no `roles` where the provider writes them only into userinfo
  const isOfPage = roles !== null && valueAt(token, roles.claim) === undefined;
  const ofRoles = isOfPage ? { [roles.claim]: valueAt(page, roles.claim) } : {};
  return { ...page, ...token, ...ofRoles, email, email_verified: isVerified, auth_time: time, acr };
}

/** Whether the ID token lacks the claim of the roles or of the e-mail, so that the userinfo endpoint has to be read. */
export function lacksClaims(claims: Claims, roles: OidcSettings["roles"]): boolean {
  return claims["email"] === undefined || (roles !== null && valueAt(claims, roles.claim) === undefined);
}
