import { parseExactJson } from "./exact-json.ts";

interface Common<Topic extends string, Payload> {
  readonly topic: Topic;
  /** The id of the delivery, the same for every attempt: store it to ignore repeated ones. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly sentAt: Date;
  /** The platform's id of the customer, with all its digits; null if the topic has no customer. */
  readonly customerId: string | null;
  /** Of two bodies about a customer, the one with the higher version is newer; null if none was sent. */
  readonly version: number | null;
  /** Whether a person sent it from the dashboard as a test. */
  readonly isTest: boolean;
  readonly data: Payload;
}

/** Ids in `customer` are strings of digits; the field is `storefront_id`, or the platform's name and `_id`. */
export interface WebhookCustomer {
  readonly [field: string]: string;
}

export type PointAllotmentCascade = Common<
  "point_allotment/cascade",
  {
    readonly allotted_at: string;
    readonly customer: WebhookCustomer;
    readonly point_value: number;
    readonly type: string;
    readonly uid: string;
  }
>;

export type PointBalanceUpdate = Common<
  "point_balance/update",
  {
    readonly accepts_marketing: boolean;
    readonly account_enabled: boolean;
    readonly balance: number;
    readonly birthday: string | null;
    readonly customer: WebhookCustomer;
    readonly name: string | null;
    readonly point_expiration_date: string | null;
    readonly uid: string;
  }
>;

export type PointBalancesExport = Common<"point_balances/export", { readonly url: string }>;

/** A verified delivery; `topic` distinguishes the types. */
export type WebhookEvent = PointAllotmentCascade | PointBalanceUpdate | PointBalancesExport;

export type WebhookErrorCode = "missing_header" | "bad_signature" | "too_old" | "bad_body";

/** A delivery that must not be trusted. Respond with 400 or 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A received delivery; `body` is exactly what was received, not parsed. */
export interface ReceivedDelivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The allowed difference between the sender's clock and this one, and the maximum age of a delivery; 300 when absent. */
  readonly toleranceSeconds?: number;
  /** Replaces the machine's clock. */
  readonly now?: Date;
}

const SIGNATURES_MAX = 16;
const encoder = new TextEncoder();

/**
 * Returns the event of a delivery (webhooks.md, "Verifying a delivery"). A secret that begins with `whsec_` (a subscription's) verifies the Standard
 * Webhooks signature, any other (the store's API secret key) the bearer token. Of several secrets one has to match. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  delivery: Request | ReceivedDelivery,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0 || !secrets.every(isSecret))
    throw new TypeError("secret: expected whsec_ and its base64, the store's API secret key, or several of them");
  const body = await bytesOf(delivery);
  const header = headerReader(delivery.headers);
  const nowSeconds = (options.now ?? new Date()).getTime() / 1000;
  const toleranceSeconds = options.toleranceSeconds ?? 300;
  const claims = claimsOf(
    await Promise.all(
      secrets.map((one) =>
        (one.startsWith("whsec_") ? fitsStandard(one, header, body) : fitsToken(one, header, body)).catch(asMissing),
      ),
    ),
  );
  if (Math.abs(nowSeconds - claims.at) > toleranceSeconds || nowSeconds > claims.until + toleranceSeconds) {
    throw new WebhookVerificationError("too_old", "The delivery is too old, or one of the clocks is wrong");
  }
  return eventOf(body, claims, header);
}

/** Without a key anybody can sign. */
function isSecret(text: unknown): boolean {
  if (typeof text !== "string" || text === "") return false;
  return !text.startsWith("whsec_") || fromBase64(text.slice("whsec_".length)).length > 0;
}

interface Claims {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly until: number;
  readonly topic?: unknown;
}

/** A proxy may have removed the header of one signature: the other one may still verify. */
function asMissing(error: unknown): WebhookVerificationError {
  if (error instanceof WebhookVerificationError) return error;
  throw error;
}

/** Returns the claims of the first secret that matched. Throws WebhookVerificationError. */
function claimsOf(found: readonly (Claims | WebhookVerificationError | undefined)[]): Claims {
  const missing: WebhookVerificationError[] = [];
  for (const one of found) {
    if (one instanceof WebhookVerificationError) missing.push(one);
    else if (one !== undefined) return one;
  }
  const [first] = missing;
  if (first !== undefined && missing.length === found.length) throw first;
  throw new WebhookVerificationError("bad_signature", "The signature fits no secret");
}

type HeaderReader = (name: string) => string | undefined;

async function fitsStandard(secret: string, header: HeaderReader, body: Uint8Array): Promise<Claims | undefined> {
  const [id, at] = [required(header, "webhook-id"), required(header, "webhook-timestamp")];
  const signatures = required(header, "webhook-signature").split(" ").slice(0, SIGNATURES_MAX);
  const key = await hmacKey(fromBase64(secret.slice("whsec_".length)));
  const signed = joined(encoder.encode(`${id}.${at}.`), body);
  const known = signatures.filter((one) => one.startsWith("v1,")).map((one) => fromBase64(one.slice(3)));
  const results = await Promise.all(known.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed)));
  if (!results.includes(true) || !/^\d{1,12}$/.test(at)) return undefined;
  return { id, at: Number(at), until: Number.POSITIVE_INFINITY };
}

async function fitsToken(secret: string, header: HeaderReader, body: Uint8Array): Promise<Claims | undefined> {
  const [scheme = "", token = ""] = required(header, "authorization").split(" ");
  const [head = "", payload = "", signature = "", ...rest] = token.split(".");
  if (scheme.toLowerCase() !== "bearer" || rest.length > 0) return undefined;
  const key = await hmacKey(encoder.encode(secret));
  const fits = await crypto.subtle.verify("HMAC", key, fromBase64(signature), encoder.encode(`${head}.${payload}`));
  if (!fits || fieldsOf(head)["alg"] !== "HS256") return undefined;
  const { jti, iat, exp, topic, body_sha256: sum } = fieldsOf(payload);
  if (typeof jti !== "string" || typeof iat !== "number" || typeof exp !== "number") return undefined;
  const actual = new Uint8Array(await crypto.subtle.digest("SHA-256", joined(body)));
  const hex = Array.from(actual, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return sum === hex ? { id: jti, at: iat, until: exp, topic } : undefined;
}

function eventOf(body: Uint8Array, claims: Claims, header: HeaderReader): WebhookEvent {
  const data = parsedBody(body);
  const topic =
    "point_value" in data
      ? "point_allotment/cascade"
      : "balance" in data
        ? "point_balance/update"
        : "point_balances/export";
  if (
    (claims.topic !== undefined && claims.topic !== topic) ||
    (topic === "point_balances/export" && !("url" in data))
  ) {
    throw new WebhookVerificationError("bad_body", "The body is of a topic that this version does not know");
  }
  const customer = data["customer"];
  if (typeof customer === "object" && customer !== null) {
    data["customer"] = Object.fromEntries(Object.entries(customer).map(([name, id]) => [name, String(id)]));
  }
  const version = header("pointkeeper-version");
  return {
    topic,
    id: claims.id,
    sentAt: new Date(claims.at * 1000),
    customerId: Object.values((data["customer"] as WebhookCustomer | undefined) ?? {})[0] ?? null, // cast: made above
    version: version === undefined ? null : Number(version),
    isTest: header("pointkeeper-test") === "true",
    data,
  } as unknown as WebhookEvent; // cast: the sender signed a body of this topic
}

function parsedBody(body: Uint8Array): Record<string, unknown> {
  try {
    const data = parseExactJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return { ...data };
  } catch {}
  throw new WebhookVerificationError("bad_body", "The body is not a JSON object");
}

async function bytesOf(delivery: Request | ReceivedDelivery): Promise<Uint8Array> {
  if ("arrayBuffer" in delivery) return new Uint8Array(await delivery.arrayBuffer());
  if (typeof delivery.body === "string") return encoder.encode(delivery.body);
  if (ArrayBuffer.isView(delivery.body)) return delivery.body; // of any realm
  throw new TypeError("body: expected the text or bytes as they were received, before they are parsed");
}

function headerReader(headers: ReceivedDelivery["headers"]): HeaderReader {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = lower.get(name);
    return typeof value === "string" || value === undefined ? value : value[0];
  };
}

function required(header: HeaderReader, name: string): string {
  const value = header(name);
  if (value === undefined || value === "") throw new WebhookVerificationError("missing_header", `${name} is missing`);
  return value;
}

function hmacKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Decodes base64 in either alphabet; empty if the text is neither. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fieldsOf(part: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(new TextDecoder().decode(fromBase64(part)));
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}
