import { resolve } from "node:path";

/** Where addresses of callbacks are looked up; unset: the system's resolver. Tests name a DNS server of their own. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly role: "all" | "api" | "worker";
  /** Where a worker, which serves nothing else, answers /health and /ready; undefined: nowhere. */
  readonly healthPort: number | undefined;
  /** How long a service that was told to stop still answers, not ready, so that others can take over. */
  readonly drainMs: number;
  /** An external PostgreSQL; undefined: the embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** How long a start waits for an external database that does not answer yet. */
  readonly databaseWaitMs: number;
  /** Whether an external database may lose what it acknowledged (synchronous_commit, fsync or full_page_writes off). */
  readonly allowUnsafeDatabase: boolean;
  readonly migrationLockTimeoutMs: number;
  readonly dataDir: string;
  /** Where this service is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** How many proxies stand before the service, each adding to `x-forwarded-for`: who asks is found behind them. */
  readonly proxies: number;
  /** The commerce platform's name: second path segment and webhook member; undefined: `storefront` only. */
  readonly platform: string | undefined;
  readonly secretKey: string | undefined;
  /** Opens what it sealed, or what another node seals with it already, while the secret key is changed. */
  readonly secretKeyPrevious: string | undefined;
  /** For so many days after somebody changed another's access, the two count as one person for approvals; 0: never. */
  readonly secondPersonDays: number;
  /** The roles that do nothing before their second factor is on. */
  readonly totpRoles: readonly string[];
  readonly apiKey: string | undefined;
  readonly apiSecret: string | undefined;
  readonly allowPrivateCallbacks: boolean;
  /** Ports of callbacks below 1024 that are allowed beside 80 and 443. */
  readonly callbackPorts: readonly number[];
  readonly sandbox: boolean;
  readonly shopify: { readonly shopDomain: string | undefined; readonly webhookSecrets: readonly string[] };
  /** The store's Admin API; undefined: there is no token, and the platform is never called. */
  readonly shopifyAdmin: ShopifyAdmin | undefined;
  readonly limits: RequestLimits;
  readonly logLevel: string;
  readonly prettyLogs: boolean;
  /** Settings whose name begins as ours do and that nothing reads. */
  readonly unknownSettings: readonly string[];
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

/** Secrets that are given have at least so many characters: the API secret key is also the key of HS256 (RFC 7518: 256 bits). */
export const SECRET_LENGTH_MIN = 32;

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];
/** A rolling restart of several nodes over one database; an embedded one has a single service, so nobody could take over. */
const EXTERNAL_DRAIN_S = 5;
const SHOPIFY_API_VERSION = "2026-04";
const SHOPIFY_TIMEOUT_MS = 10_000;
const STAFF_ROLES = ["owner", "manager", "support", "viewer"];
const SECOND_PERSON_DAYS_MAX = 365;

/** A setting that cannot be used; `main` prints it and exits 1. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Arguments that do not fit their command; the process exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads every setting of program.md 8. The only reader of the environment. */
export function readConfig(given: Env = process.env, args: { role?: string; pretty?: boolean } = {}): Config {
  const { env, unread } = recordReads(given);
  const host = text(env, "HOST") ?? "127.0.0.1";
  const port = portNumber(text(env, "PORT") ?? "3000");
  const databaseUrl = text(env, "DATABASE_URL");
  const secretKey = secret(env, "POINTKEEPER_SECRET_KEY");
  if (databaseUrl !== undefined && secretKey === undefined) {
    throw new ConfigError(
      "POINTKEEPER_SECRET_KEY must be set when DATABASE_URL is: it encrypts the secrets kept there.",
    );
  }
  const healthPort = text(env, "POINTKEEPER_HEALTH_PORT");
  const drainDefault = databaseUrl === undefined ? 0 : EXTERNAL_DRAIN_S;
  const shopDomain = text(env, "SHOPIFY_SHOP_DOMAIN")?.toLowerCase();
  const config = {
    host,
    port,
    role: roleName(args.role ?? "all"),
    healthPort: healthPort === undefined ? undefined : portNumber(healthPort, "POINTKEEPER_HEALTH_PORT"),
    drainMs: seconds(env, "POINTKEEPER_DRAIN_SECONDS", { usual: drainDefault, max: 300 }),
    databaseUrl,
    databaseWaitMs: seconds(env, "POINTKEEPER_DATABASE_WAIT_SECONDS", { usual: 30, max: 3_600 }),
    allowUnsafeDatabase: flag(env, "POINTKEEPER_ALLOW_UNSAFE_DATABASE"),
    migrationLockTimeoutMs: seconds(env, "POINTKEEPER_MIGRATION_LOCK_SECONDS", { usual: 5, min: 1, max: 3_600 }),
    dataDir: resolve(text(env, "POINTKEEPER_DATA_DIR") ?? "data"),
    publicUrl: publicUrl(text(env, "PUBLIC_URL") ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`),
    proxies: wholeNumber(env, "POINTKEEPER_PROXIES", { fallback: 0, max: 9 }),
    platform: platformName(text(env, "POINTKEEPER_PLATFORM")),
    secretKey,
    secretKeyPrevious: text(env, "POINTKEEPER_SECRET_KEY_PREVIOUS"),
    secondPersonDays: wholeNumber(env, "POINTKEEPER_SECOND_PERSON_DAYS", { fallback: 7, max: SECOND_PERSON_DAYS_MAX }),
    totpRoles: roleList(text(env, "POINTKEEPER_REQUIRE_TOTP") ?? ""),
    apiKey: text(env, "POINTKEEPER_API_KEY"),
    apiSecret: secret(env, "POINTKEEPER_API_SECRET"),
    allowPrivateCallbacks: flag(env, "POINTKEEPER_ALLOW_PRIVATE_CALLBACKS"),
    callbackPorts: portNumbers(env, "POINTKEEPER_CALLBACK_PORTS"),
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
    logLevel: logLevel(text(env, "LOG_LEVEL") ?? "info"),
    prettyLogs: args.pretty ?? false,
  };
  return { ...config, unknownSettings: unread() };
}

/** An environment that remembers which of our names were read: the others are misspelt, or of another version. */
function recordReads(given: Env): { env: Env; unread: () => string[] } {
  const read = new Set<string>();
  const env = new Proxy(given, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
  const unread = () => Object.keys(given).filter((name) => name.startsWith("POINTKEEPER_") && !read.has(name));
  return { env, unread };
}

const UNKNOWN_BODY_BYTES = 32 * 1_048_576;
const KNOWN_BODY_BYTES = 32 * 1_048_576;

function requestLimits(env: Env): RequestLimits {
  return {
    addressRate: wholeNumber(env, "POINTKEEPER_ADDRESS_RATE", { fallback: 3_000 }),
    failureRate: wholeNumber(env, "POINTKEEPER_FAILURE_RATE", { fallback: 3_000 }),
    credentialRate: wholeNumber(env, "POINTKEEPER_CREDENTIAL_RATE", { fallback: 0 }),
    connections: wholeNumber(env, "POINTKEEPER_CONNECTIONS", { fallback: 1_000, min: 10 }),
    connectionsPerAddress: wholeNumber(env, "POINTKEEPER_CONNECTIONS_PER_ADDRESS", { fallback: 900 }),
    unknownBodyBytes: UNKNOWN_BODY_BYTES,
    knownBodyBytes: KNOWN_BODY_BYTES,
  };
}

const NUMBER_MAX = 1_000_000;

function wholeNumber(
  env: Env,
  name: string,
  { fallback, min = 0, max = NUMBER_MAX }: { fallback: number; min?: number; max?: number },
): number {
  const value = text(env, name) ?? String(fallback);
  const number = Number(value);
  if (/^\d{1,7}$/.test(value) && number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a number from ${min} to ${max}, not "${value}".`);
}

function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function secret(env: Env, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined || value.length >= SECRET_LENGTH_MIN) return value;
  throw new ConfigError(
    `${name} must have at least ${SECRET_LENGTH_MIN} characters, not ${value.length}. Make one: openssl rand -base64 32, or ` +
      `node -e 'console.log(require("node:crypto").randomBytes(32).toString("base64url"))'`,
  );
}

function flag(env: Env, name: string): boolean {
  const value = text(env, name);
  if (value === undefined || value === "0" || value === "false") return false;
  if (value === "1" || value === "true") return true;
  throw new ConfigError(`${name} must be 1 or 0, not "${value}".`);
}

function portNumber(value: string, name = "PORT"): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535)
    throw new ConfigError(`${name} must be a number from 0 to 65535, not "${value}".`);
  return port;
}

function portNumbers(env: Env, name: string): number[] {
  const parts = (text(env, name) ?? "").split(",").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  const wrong = given.find((part) => !/^\d{1,5}$/.test(part) || Number(part) < 1 || Number(part) > 65_535);
  if (wrong !== undefined) throw new ConfigError(`${name} must be ports from 1 to 65535 with commas, not "${wrong}".`);
  return given.map(Number);
}

/** A length of time in seconds, as milliseconds. */
function seconds(
  env: Env,
  name: string,
  { usual, min = 0, max }: { usual: number; min?: number; max: number },
): number {
  const value = text(env, name) ?? String(usual);
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(`${name} must be a number of seconds from ${min} to ${max}, not "${value}".`);
  return Number(value) * 1_000;
}

function logLevel(value: string): string {
  if (!LOG_LEVELS.includes(value))
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${value}".`);
  return value;
}

function roleList(value: string): string[] {
  const roles = value.split(",").map((role) => role.trim());
  const unknown = roles.find((role) => role !== "" && !STAFF_ROLES.includes(role));
  if (unknown !== undefined) {
    throw new ConfigError(`POINTKEEPER_REQUIRE_TOTP names roles, ${STAFF_ROLES.join(", ")}, not "${unknown}".`);
  }
  return roles.filter((role) => role !== "");
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
