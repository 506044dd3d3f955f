import { createHash } from "node:crypto";
import { isCleanText } from "../http/json-text.ts";
import { CUSTOMER_SCOPES, type CustomerScope } from "../wire/access.ts";

/** Whom a token names, and what it lets a page do for that customer alone. */
export interface CustomerToken {
  /** Storefront id; never an e-mail. */
  readonly customerId: string;
  readonly scopes: readonly CustomerScope[];
}

/** Why a token is refused. One that has only expired has a code of its own: a page then asks its server for another. */
export interface TokenRefusal {
  readonly refusal: "unauthorized" | "token_expired";
  readonly detail: string;
}

export const TOKEN_AUDIENCE = "pointkeeper-storefront";
/** A token is that of one page's visit: it stays in a browser, where others may read it. */
const LIFETIME_MAX_S = 3_600;
/** How far the clocks of the store's server and of this machine may be apart. */
const SKEW_S = 60;
const TOKEN_LENGTH_MAX = 2_048;
const CUSTOMER_ID_LENGTH_MAX = 255;

const COMPACT = /^([\w-]{1,400})\.[\w-]{1,1500}\.[\w-]{43}$/;
const KID = /^sf_[0-9a-f]{16}$/;
const BEARER = /^bearer +(\S+) *$/i;

/** The name of a storefront key, from 8 random bytes. */
export function kidOf(bytes: Buffer): string {
  return `sf_${bytes.toString("hex")}`;
}

/** The token of an `authorization` header; null: none, or longer than any that is made. */
export function tokenOf(header: string): string | null {
  if (header.length > TOKEN_LENGTH_MAX + 20) return null;
  const token = BEARER.exec(header)?.[1];
  return token === undefined || token.length > TOKEN_LENGTH_MAX ? null : token;
}

/**
 * Which key a token says to be signed with; null: it is no JWS in compact form, or its header says anything but HS256, JWT and the key.
 * A header that is understood in part is refused whole: nothing in it changes how the token is verified.
 */
export function kidOfToken(token: string): string | null {
  const head = COMPACT.exec(token)?.[1];
  const header = head === undefined ? null : parsed(Buffer.from(head, "base64url"));
  if (header === null || Object.keys(header).some((name) => !["alg", "typ", "kid"].includes(name))) return null;
  const { alg, typ, kid } = header;
  if (alg !== "HS256" || (typ !== undefined && typ !== "JWT")) return null;
  return typeof kid === "string" && KID.test(kid) ? kid : null;
}

/** Reads the payload of a token whose signature is right; `keyScopes`: what its key may sign at most. */
export function readClaims(
  payload: Uint8Array,
  { nowS, keyScopes }: { readonly nowS: number; readonly keyScopes: readonly CustomerScope[] },
): CustomerToken | TokenRefusal {
  const claims = parsed(payload);
  if (claims === null) return refused("expected the claims as a JSON object");
  const { sub, aud, iat, exp, nbf, scope = "read" } = claims;
  if (aud !== TOKEN_AUDIENCE) return refused(`expected the claim aud: "${TOKEN_AUDIENCE}"`);
  if (!isCustomerId(sub)) return refused("expected the claim sub: the customer's storefront id as a string");
  if (!isSecond(iat) || !isSecond(exp)) return refused("expected the claims iat and exp in whole seconds since 1970");
  if (exp <= iat || exp - iat > LIFETIME_MAX_S)
    return refused(`expected exp after iat, by at most ${LIFETIME_MAX_S} seconds`);
  if (iat > nowS + SKEW_S || (nbf !== undefined && !(isSecond(nbf) && nbf <= nowS + SKEW_S)))
    return refused("the token is from the future: check the clock of the server that signs");
  if (exp + SKEW_S <= nowS) return { refusal: "token_expired", detail: "sign a new token for the page" };
  const scopes = scopesOf(scope);
  if (scopes === null) return refused('expected the claim scope: "read" or "read redeem"');
  return { customerId: sub, scopes: scopes.filter((one) => keyScopes.includes(one)) };
}

/** Stands for a customer where a credential's uid stands for a credential: of limits and of Idempotency-Keys. */
export function customerUidOf(customerId: string): string {
  const hex = createHash("sha256").update(`pointkeeper storefront customer\n${customerId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function refused(detail: string): TokenRefusal {
  return { refusal: "unauthorized", detail };
}

/** An id alone: what has an "@" would be looked up as an e-mail elsewhere, and names nobody here. */
function isCustomerId(sub: unknown): sub is string {
  return (
    typeof sub === "string" &&
    sub.length >= 1 &&
    sub.length <= CUSTOMER_ID_LENGTH_MAX &&
    sub.trim() === sub &&
    !sub.includes("@") &&
    isCleanText(sub)
  );
}

function isSecond(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function scopesOf(scope: unknown): readonly CustomerScope[] | null {
  if (typeof scope !== "string") return null;
  const names = scope.split(" ");
  const known = CUSTOMER_SCOPES.filter((one) => names.includes(one));
  return known.length === names.length && known.includes("read") ? known : null;
}

function parsed(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
