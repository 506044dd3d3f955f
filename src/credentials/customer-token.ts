import { createHash } from "node:crypto";
import { isCleanText } from "../http/bodies/json-text.ts";
import { CUSTOMER_SCOPES, type CustomerScope } from "../wire/access.ts";

/** The customer of a token, and what a page may do for that customer only. */
export interface CustomerToken {
  /** A storefront id, never an e-mail. */
  readonly customerId: string;
  readonly scopes: readonly CustomerScope[];
}

/** Why a token is refused. An expired one has a separate code, on which a page gets another from its server. */
export interface TokenRefusal {
  readonly refusal: "unauthorized" | "token_expired";
  readonly detail: string;
}

const TOKEN_AUDIENCE = "pointkeeper-storefront";
/** A token is meant for one visit of a page: it stays in a browser, where others may read it. */
const LIFETIME_MAX_S = 3_600;
/** The allowed difference between the clocks of the store's server and of this machine. */
const SKEW_S = 60;
const TOKEN_LENGTH_MAX = 2_048;
const CUSTOMER_ID_LENGTH_MAX = 255;

const COMPACT = /^([\w-]{1,400})\.[\w-]{1,1500}\.[\w-]{43}$/;
const KID = /^sf_[0-9a-f]{16}$/;
const BEARER = /^bearer +(\S+) *$/i;

/** Returns the name of a storefront key, from 8 random bytes. */
export function kidOf(bytes: Buffer): string {
  return `sf_${bytes.toString("hex")}`;
}

/** Returns the token of an `authorization` header; null: none, or one longer than the maximum. */
export function tokenOf(header: string): string | null {
  if (header.length > TOKEN_LENGTH_MAX + 20) return null;
  const token = BEARER.exec(header)?.[1];
  return token === undefined || token.length > TOKEN_LENGTH_MAX ? null : token;
}

/**
 * Returns the key id of a token's header; null: it is not a JWS in compact form, or its header has anything except HS256, JWT and the key id. A
 * header with unknown parts is refused completely: nothing in it may change how the token is verified.
 */
export function kidOfToken(token: string): string | null {
  const head = COMPACT.exec(token)?.[1];
  const header = head === undefined ? null : parsed(Buffer.from(head, "base64url"));
  if (header === null || Object.keys(header).some((name) => !["alg", "typ", "kid"].includes(name))) return null;
  const { alg, typ, kid } = header;
  if (alg !== "HS256" || (typ !== undefined && typ !== "JWT")) return null;
  return typeof kid === "string" && KID.test(kid) ? kid : null;
}

/** Reads the payload of a token whose signature is valid; `keyScopes`: the scopes that its key may sign at most. */
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

/** Returns a uid that represents a customer in limits and Idempotency-Keys, like a credential's uid. */
export function customerUidOf(customerId: string): string {
  const hex = createHash("sha256").update(`pointkeeper storefront customer\n${customerId}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function refused(detail: string): TokenRefusal {
  return { refusal: "unauthorized", detail };
}

/** Whether it is an id: a text with an "@" would be treated as an e-mail elsewhere, and is refused here. */
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
