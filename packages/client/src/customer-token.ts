/** The id and secret of a storefront key, as they were shown. Both stay on the store's server. */
export interface StorefrontKey {
  /** `sf_...` */
  readonly keyId: string;
  readonly secret: string;
}

export interface CustomerTokenOptions extends StorefrontKey {
  /** The storefront id of the customer who is signed in, from your own session; never from the request. */
  readonly customerId: string | number | bigint;
  /** Whether a page may also redeem points with it, not only read. */
  readonly canRedeem?: boolean;
  /** 600 when absent, at most 3600. */
  readonly lifetimeSeconds?: number;
  /** Replaces the machine's clock. */
  readonly now?: Date;
}

const LIFETIME_MAX_SECONDS = 3_600;
const encoder = new TextEncoder();

/**
 * Signs the token with which a page of the shop requests data of one customer (docs/widget.md of the service). Call it on your server, for the
 * customer of the session. Throws TypeError for values that the service would refuse.
 */
export async function customerToken(options: CustomerTokenOptions): Promise<string> {
  const { keyId, secret, canRedeem = false, lifetimeSeconds = 600 } = options;
  const customerId = String(options.customerId);
  if (!/^sf_[0-9a-f]{16}$/.test(keyId)) throw new TypeError("keyId: expected the id of a storefront key, sf_...");
  if (secret === "") throw new TypeError("secret: expected the secret of the storefront key");
  if (customerId === "" || customerId.length > 255 || customerId.includes("@"))
    throw new TypeError("customerId: expected a storefront id of 1 to 255 characters, not an e-mail");
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > LIFETIME_MAX_SECONDS)
    throw new TypeError(`lifetimeSeconds: expected 1 to ${LIFETIME_MAX_SECONDS}`);
  const iat = Math.floor((options.now ?? new Date()).getTime() / 1_000);
  const claims = {
    sub: customerId,
    aud: "pointkeeper-storefront",
    iat,
    exp: iat + lifetimeSeconds,
    scope: canRedeem ? "read redeem" : "read",
  };
  const input = `${part({ alg: "HS256", typ: "JWT", kid: keyId })}.${part(claims)}`;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return `${input}.${base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(input))))}`;
}

function part(value: object): string {
  return base64url(encoder.encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
