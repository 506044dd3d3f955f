import { resolve } from "node:path";

/** Where addresses of callbacks are looked up; unset: the system's resolver. Tests name a DNS server of their own. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly role: "all" | "api" | "worker";
  /** An external PostgreSQL; undefined: the embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Where this service is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** How many proxies stand before the service, each adding to `x-forwarded-for`: who asks is found behind them. */
  readonly proxies: number;
  /** The commerce platform's name: second path segment and webhook member; undefined: `storefront` only. */
  readonly platform: string | undefined;
  readonly secretKey: string | undefined;
  readonly apiKey: string | undefined;
  readonly apiSecret: string | undefined;
  readonly allowPrivateCallbacks: boolean;
  readonly sandbox: boolean;
  readonly shopify: { readonly shopDomain: string | undefined; readonly webhookSecrets: readonly string[] };
  /** The store's Admin API; undefined: there is no token, and the platform is never called. */
  readonly shopifyAdmin: ShopifyAdmin | undefined;
  readonly limits: RequestLimits;
  readonly logLevel: string;
  readonly prettyLogs: boolean;
}

/** What one sender may ask of this process, so that the others are answered. */
export interface RequestLimits {
  /** Requests a minute of one address to routes that need no credential; 0: any number. */
  readonly addressRate: number;
  /** Requests a minute of one address that are refused with 401; 0: any number. */
  readonly failureRate: number;
  /** Requests a minute of one credential; 0: any number. */
  readonly credentialRate: number;
  readonly connections: number;
  /** Of one address; 0: any number. Behind proxies it is not looked at: they hold the connections. */
  readonly connectionsPerAddress: number;
  /** Bytes of bodies that are being read at once, of senders who are not known yet. */
  readonly unknownBodyBytes: number;
  /** The same of those who are. */
  readonly knownBodyBytes: number;
}

/** How the platform's Admin API is called. */
export interface ShopifyAdmin {
  readonly token: string;
  /** Where GraphQL is posted to: `https://<shop>/admin/api/<version>/graphql.json`. */
  readonly url: string;
  /** A request ends here, by the machine's clock; what it did is then unknown. */
  readonly timeoutMs: number;
}

const SHOPIFY_API_VERSION = "2026-04";
const SHOPIFY_TIMEOUT_MS = 10_000;

/** A setting that cannot be used; `main` prints it and exits 1. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads every setting of program.md 8. The only reader of the environment. */
export function readConfig(env: Env = process.env, args: { role?: string; pretty?: boolean } = {}): Config {
  const host = text(env, "HOST") ?? "127.0.0.1";
  const port = portNumber(text(env, "PORT") ?? "3000");
  const databaseUrl = text(env, "DATABASE_URL");
  const secretKey = text(env, "POINTKEEPER_SECRET_KEY");
  if (databaseUrl !== undefined && secretKey === undefined) {
    throw new ConfigError(
      "POINTKEEPER_SECRET_KEY must be set when DATABASE_URL is: it encrypts the secrets kept there.",
    );
  }
  const shopDomain = text(env, "SHOPIFY_SHOP_DOMAIN")?.toLowerCase();
  return {
    host,
    port,
    role: roleName(args.role ?? "all"),
    databaseUrl,
    dataDir: resolve(text(env, "POINTKEEPER_DATA_DIR") ?? "data"),
    publicUrl: publicUrl(text(env, "PUBLIC_URL") ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`),
    proxies: proxyCount(text(env, "POINTKEEPER_PROXIES") ?? "0"),
    platform: platformName(text(env, "POINTKEEPER_PLATFORM")),
    secretKey,
    apiKey: text(env, "POINTKEEPER_API_KEY"),
    apiSecret: text(env, "POINTKEEPER_API_SECRET"),
    allowPrivateCallbacks: flag(env, "POINTKEEPER_ALLOW_PRIVATE_CALLBACKS"),
    sandbox: flag(env, "POINTKEEPER_SANDBOX"),
    shopify: {
      shopDomain,
      webhookSecrets: (text(env, "SHOPIFY_WEBHOOK_SECRETS") ?? "")
        .split(",")
        .map((s) => s.trim())
        .filter((s) => s !== ""),
    },
    shopifyAdmin: shopifyAdmin(env, shopDomain),
    limits: requestLimits(env),
    logLevel: text(env, "LOG_LEVEL") ?? "info",
    prettyLogs: args.pretty ?? false,
  };
}

const UNKNOWN_BODY_BYTES = 32 * 1_048_576;
const KNOWN_BODY_BYTES = 32 * 1_048_576;

function requestLimits(env: Env): RequestLimits {
  return {
    addressRate: wholeNumber(env, "POINTKEEPER_ADDRESS_RATE", { fallback: 3_000, min: 0 }),
    failureRate: wholeNumber(env, "POINTKEEPER_FAILURE_RATE", { fallback: 300, min: 0 }),
    credentialRate: wholeNumber(env, "POINTKEEPER_CREDENTIAL_RATE", { fallback: 0, min: 0 }),
    connections: wholeNumber(env, "POINTKEEPER_CONNECTIONS", { fallback: 1_000, min: 10 }),
    connectionsPerAddress: wholeNumber(env, "POINTKEEPER_CONNECTIONS_PER_ADDRESS", { fallback: 500, min: 0 }),
    unknownBodyBytes: UNKNOWN_BODY_BYTES,
    knownBodyBytes: KNOWN_BODY_BYTES,
  };
}

const NUMBER_MAX = 1_000_000;

function wholeNumber(env: Env, name: string, { fallback, min }: { fallback: number; min: number }): number {
  const value = text(env, name) ?? String(fallback);
  const number = Number(value);
  if (/^\d{1,7}$/.test(value) && number >= min && number <= NUMBER_MAX) return number;
  throw new ConfigError(`${name} must be a number from ${min} to ${NUMBER_MAX}, not "${value}".`);
}

function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function flag(env: Env, name: string): boolean {
  const value = text(env, name);
  if (value === undefined || value === "0" || value === "false") return false;
  if (value === "1" || value === "true") return true;
  throw new ConfigError(`${name} must be 1 or 0, not "${value}".`);
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new ConfigError(`PORT must be a number from 0 to 65535, not "${value}".`);
  return port;
}

function proxyCount(value: string): number {
  if (!/^\d$/.test(value)) throw new ConfigError(`POINTKEEPER_PROXIES must be a number from 0 to 9, not "${value}".`);
  return Number(value);
}

function roleName(value: string): Config["role"] {
  if (value === "all" || value === "api" || value === "worker") return value;
  throw new ConfigError(`--role must be all, api or worker, not "${value}".`);
}

function publicUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, "");
}

function shopifyAdmin(env: Env, shopDomain: string | undefined): ShopifyAdmin | undefined {
  const token = text(env, "SHOPIFY_ADMIN_TOKEN");
  if (token === undefined) return undefined;
  const named = text(env, "SHOPIFY_ADMIN_URL");
  if (named === undefined && shopDomain === undefined) {
    throw new ConfigError(
      "SHOPIFY_SHOP_DOMAIN must be set when SHOPIFY_ADMIN_TOKEN is: it says where the token is used.",
    );
  }
  const url = named ?? `https://${shopDomain}/admin/api/${SHOPIFY_API_VERSION}/graphql.json`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || !url.endsWith("/graphql.json")) {
    throw new ConfigError(
      `SHOPIFY_ADMIN_URL must be an http or https address that ends in /graphql.json, not "${url}".`,
    );
  }
  return { token, url, timeoutMs: SHOPIFY_TIMEOUT_MS };
}

function platformName(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[a-z][a-z0-9-]{0,40}$/.test(value)) {
    throw new ConfigError(`POINTKEEPER_PLATFORM must be lower-case letters, digits and dashes, not "${value}".`);
  }
  return value;
}
