import { resolve } from "node:path";
import {
  ConfigError,
  type Env,
  flagSetting,
  numberSetting,
  portNumber,
  portsSetting,
  secondsSetting,
  secretSetting,
  textSetting,
} from "./environment.ts";
import { type PlatformsSettings, readPlatformSettings } from "./platforms/index.ts";

/** The settings of the service, as `readConfig` has checked them. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly role: "all" | "api" | "worker";
  /** Where a worker, which serves nothing else, answers /health and /ready; undefined: nowhere. */
  readonly healthPort: number | undefined;
  /** How long a service that is being stopped still answers, not ready, so that others can take over. */
  readonly drainMs: number;
  /** An external PostgreSQL; undefined: the embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A streaming standby of the external one, for reads that may be a little old. */
  readonly replicaUrl: string | undefined;
  /** Beyond this reads go to the primary. */
  readonly replicaAgeMaxMs: number;
  /** How long a start waits for an external database that does not answer yet. */
  readonly databaseWaitMs: number;
  /** Whether an external database may lose what it acknowledged (synchronous_commit, fsync or full_page_writes off). */
  readonly allowUnsafeDatabase: boolean;
  readonly migrationLockTimeoutMs: number;
  readonly dataDir: string;
  /** The folder of the programs of the embedded server; undefined: those that npm installed. */
  readonly postgresBin: string | undefined;
  /** Where this service is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** How many proxies stand before the service, each adding to `x-forwarded-for`: who asks is found behind them. */
  readonly proxies: number;
  /** The commerce platform's name: second path segment and webhook field; undefined: `storefront` only. */
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
  /** The settings of each platform, which its adapter reads (`platforms/<name>/settings.ts`). */
  readonly platforms: PlatformsSettings;
  readonly limits: RequestLimits;
  readonly retention: Retention;
  readonly logLevel: string;
  readonly prettyLogs: boolean;
  /** Settings whose name begins as ours do and that nothing reads. */
  readonly unknownSettings: readonly string[];
}

/** For how many days data is kept that nothing depends on any more. */
export interface Retention {
  /** Bodies of processed receipts, after their arrival. */
  readonly receiptDays: number;
  /** Files of exports, after the request. */
  readonly exportDays: number;
  /** Files of imports and what is wrong with them, after the upload. */
  readonly importFileDays: number;
}

/** Limits of one sender in this process, so that others are served. */
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

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];
/** A rolling restart of several nodes over one database; an embedded one has a single service, so no other node could take over. */
const EXTERNAL_DRAIN_S = 5;
const STAFF_ROLES = ["owner", "manager", "support", "viewer"];
const SECOND_PERSON_DAYS_MAX = 365;

/** Arguments that do not fit their command; the process exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads every setting of program.md 8. Nothing else reads the environment. */
export function readConfig(given: Env = process.env, args: { role?: string; pretty?: boolean } = {}): Config {
  const { env, unread } = recordReads(given);
  const host = textSetting(env, "HOST") ?? "127.0.0.1";
  const port = portNumber(textSetting(env, "PORT") ?? "3000");
  const databaseUrl = textSetting(env, "DATABASE_URL");
  const secretKey = secretSetting(env, "POINTKEEPER_SECRET_KEY");
  if (databaseUrl !== undefined && secretKey === undefined) {
    throw new ConfigError(
      "POINTKEEPER_SECRET_KEY must be set when DATABASE_URL is: it encrypts the secrets kept there.",
    );
  }
  const healthPort = textSetting(env, "POINTKEEPER_HEALTH_PORT");
  const drainDefault = databaseUrl === undefined ? 0 : EXTERNAL_DRAIN_S;
  const config = {
    host,
    port,
    role: roleName(args.role ?? "all"),
    healthPort: healthPort === undefined ? undefined : portNumber(healthPort, "POINTKEEPER_HEALTH_PORT"),
    drainMs: secondsSetting(env, "POINTKEEPER_DRAIN_SECONDS", { usual: drainDefault, max: 300 }),
    databaseUrl,
    replicaUrl: replicaUrl(env, databaseUrl),
    replicaAgeMaxMs: secondsSetting(env, "POINTKEEPER_REPLICA_AGE_SECONDS", { usual: 10, min: 2, max: 3_600 }),
    databaseWaitMs: secondsSetting(env, "POINTKEEPER_DATABASE_WAIT_SECONDS", { usual: 30, max: 3_600 }),
    allowUnsafeDatabase: flagSetting(env, "POINTKEEPER_ALLOW_UNSAFE_DATABASE"),
    migrationLockTimeoutMs: secondsSetting(env, "POINTKEEPER_MIGRATION_LOCK_SECONDS", { usual: 5, min: 1, max: 3_600 }),
    dataDir: resolve(textSetting(env, "POINTKEEPER_DATA_DIR") ?? "data"),
    postgresBin: folderSetting(env, "POINTKEEPER_PG_BIN"),
    publicUrl: publicUrl(textSetting(env, "PUBLIC_URL") ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`),
    proxies: numberSetting(env, "POINTKEEPER_PROXIES", { fallback: 0, max: 9 }),
    platform: platformName(textSetting(env, "POINTKEEPER_PLATFORM")),
    secretKey,
    secretKeyPrevious: textSetting(env, "POINTKEEPER_SECRET_KEY_PREVIOUS"),
    secondPersonDays: numberSetting(env, "POINTKEEPER_SECOND_PERSON_DAYS", {
      fallback: 7,
      max: SECOND_PERSON_DAYS_MAX,
    }),
    totpRoles: roleList(textSetting(env, "POINTKEEPER_REQUIRE_TOTP") ?? ""),
    apiKey: textSetting(env, "POINTKEEPER_API_KEY"),
    apiSecret: secretSetting(env, "POINTKEEPER_API_SECRET"),
    allowPrivateCallbacks: flagSetting(env, "POINTKEEPER_ALLOW_PRIVATE_CALLBACKS"),
    callbackPorts: portsSetting(env, "POINTKEEPER_CALLBACK_PORTS"),
    sandbox: flagSetting(env, "POINTKEEPER_SANDBOX"),
    platforms: readPlatformSettings(env),
    limits: requestLimits(env),
    retention: retention(env),
    logLevel: logLevel(textSetting(env, "LOG_LEVEL") ?? "info"),
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

/** What is known of the settings: those that the service reads, by name, and why they cannot be used. */
export interface SettingsReport {
  /** Every name that was looked for, in that order, with its text where it is set. */
  readonly settings: ReadonlyMap<string, string | undefined>;
  /** Null: they cannot be used, and names behind the one at fault were not looked for. */
  readonly config: Config | null;
  readonly fault: ConfigError | null;
}

/** Returns the settings as `readConfig` reads them; a fault is returned and not thrown. */
export function reportSettings(given: Env = process.env): SettingsReport {
  const settings = new Map<string, string | undefined>();
  const env = new Proxy(given, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === "string") settings.set(name, typeof value === "string" ? value : undefined);
      return value;
    },
  });
  try {
    return { settings, config: readConfig(env), fault: null };
  } catch (error) {
    if (error instanceof ConfigError) return { settings, config: null, fault: error };
    throw error;
  }
}

function replicaUrl(env: Env, databaseUrl: string | undefined): string | undefined {
  const url = textSetting(env, "DATABASE_REPLICA_URL");
  if (url !== undefined && databaseUrl === undefined)
    throw new ConfigError("DATABASE_REPLICA_URL needs DATABASE_URL: the embedded database has no replica.");
  return url;
}

const UNKNOWN_BODY_BYTES = 32 * 1_048_576;
const KNOWN_BODY_BYTES = 32 * 1_048_576;

function requestLimits(env: Env): RequestLimits {
  return {
    addressRate: numberSetting(env, "POINTKEEPER_ADDRESS_RATE", { fallback: 3_000 }),
    failureRate: numberSetting(env, "POINTKEEPER_FAILURE_RATE", { fallback: 3_000 }),
    credentialRate: numberSetting(env, "POINTKEEPER_CREDENTIAL_RATE", { fallback: 0 }),
    connections: numberSetting(env, "POINTKEEPER_CONNECTIONS", { fallback: 1_000, min: 10 }),
    connectionsPerAddress: numberSetting(env, "POINTKEEPER_CONNECTIONS_PER_ADDRESS", { fallback: 900 }),
    unknownBodyBytes: UNKNOWN_BODY_BYTES,
    knownBodyBytes: KNOWN_BODY_BYTES,
  };
}

const KEPT_DAYS = 30;
const KEPT_DAYS_MAX = 3_650;

/** The interface promises the files of exports for 30 days: they may be kept for longer only. */
function retention(env: Env): Retention {
  const days = (name: string, min: number) =>
    numberSetting(env, name, { fallback: KEPT_DAYS, min, max: KEPT_DAYS_MAX });
  return {
    receiptDays: days("POINTKEEPER_KEEP_RECEIPTS_DAYS", 1),
    exportDays: days("POINTKEEPER_KEEP_EXPORTS_DAYS", KEPT_DAYS),
    importFileDays: days("POINTKEEPER_KEEP_IMPORT_FILES_DAYS", 1),
  };
}

function folderSetting(env: Env, name: string): string | undefined {
  const path = textSetting(env, name);
  return path === undefined ? undefined : resolve(path);
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

/** First parts of the service's own addresses: below one of them, an address would not tell whether a proxy took the path off. */
const OWN_PATHS = [
  "admin",
  "api",
  "docs",
  "exports",
  "health",
  "intake",
  "metrics",
  "openapi.json",
  "ready",
  "sandbox",
];

function publicUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https address, not "${value}".`);
  }
  const first = new URL(value).pathname.split("/", 2)[1] ?? "";
  if (OWN_PATHS.includes(first))
    throw new ConfigError(`PUBLIC_URL must not begin with a path of the service's own: /${first} in "${value}".`);
  return value.replace(/\/+$/, "");
}

function platformName(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[a-z][a-z0-9-]{0,40}$/.test(value)) {
    throw new ConfigError(`POINTKEEPER_PLATFORM must be lower-case letters, digits and dashes, not "${value}".`);
  }
  return value;
}
