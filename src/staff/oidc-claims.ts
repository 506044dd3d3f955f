import type { OidcSettings } from "../oidc-settings.ts";
import type { Role } from "../wire/access.ts";
import { normalEmail, normalName } from "./staff.ts";

/** What a provider says of somebody: the claims of the ID token and of its page about the user. */
export type Claims = Readonly<Record<string, unknown>>;

/** Why somebody whom the provider knows does not come in; the page says it in words. */
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

/** The person as the provider knows them. */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Null: none, or it is not verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** By the settings; null: none. */
  readonly role: Role | null;
  /** When they last proved who they are, in seconds since 1970; null: it does not say. */
  readonly authTimeS: number | null;
  readonly acr: string | null;
}

/** Reads the claims. An e-mail counts only where the provider says that it verified it. */
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

/** Null, too: one with capital letters beyond A to Z, some of which become Latin ones in small. It would be the address of somebody else. */
function verifiedEmail(text: string): string | null {
  const email = normalEmail(text);
  return email === text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ? email : null;
}

/** The most that one of the values of the claim gives; null: none. */
function roleOf(claims: Claims, { claim, values }: NonNullable<OidcSettings["roles"]>): Role | null {
  const found = valueAt(claims, claim);
  const said = new Set(typeof found === "string" ? [found] : Array.isArray(found) ? found : []);
  return values.find(([value]) => said.has(value))?.[1] ?? null;
}

/** A claim by its name, or by names of objects with dots: `realm_access.roles`. A name that has dots itself goes first. */
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
 * The claims of the ID token and of the provider's page about the user. An e-mail and whether it is verified come from the same one; when and
 * how the person signed in is said by the token alone: the page is about an account, and people may edit what it says.
 */
export function claimsOfBoth(token: Claims, page: Claims): Claims {
  const { email, email_verified: isVerified } = token["email"] === undefined ? page : token;
  const { auth_time: time, acr } = token;
  return { ...page, ...token, email, email_verified: isVerified, auth_time: time, acr };
}

/** Whether the claim of the roles, or of the e-mail, is not in the ID token: the provider's page about the user is asked. */
export function lacksClaims(claims: Claims, roles: OidcSettings["roles"]): boolean {
  return claims["email"] === undefined || (roles !== null && valueAt(claims, roles.claim) === undefined);
}
