import { resolve } from "node:path";
import {
  addressSetting,
  type BackupSettings,
  backupSettings,
  defaultAddress,
  folderSetting,
  type MetricsSettings,
  metricsSettings,
  objectStoreAccess,
  placeSetting,
  publicAddress,
  type RequestLimits,
  type Retention,
  requestLimits,
  retention,
  staffSettings,
  type TracesSettings,
  tracesSettings,
} from "./config-groups.ts";
import {
  ConfigError,
  type Env,
  flagSetting,
  nearestName,
  numberSetting,
  optionalNumberSetting,
  portNumber,
  portsSetting,
  secondsSetting,
  secretSetting,
  textSetting,
} from "./environment.ts";
import { type MailSettings, mailSettings } from "./mail-settings.ts";
import type { ObjectStoreAccess } from "./object-store/object-place.ts";
import { type OidcSettings, oidcSettings } from "./oidc-settings.ts";
import { type PlatformsSettings, readPlatformSettings } from "./platforms/index.ts";

/** The pooler in front of the database, if any, by how long it keeps a server connection for a client. */
export type Pooler = "session" | "transaction";

/** The settings of the service, as `readConfig` has checked them. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly role: "all" | "api" | "worker";
  /** The port on which a worker, which serves nothing else, answers /health and /ready; undefined: none. */
  readonly healthPort: number | undefined;
  /** How long a service that is being stopped still answers, as not ready, so that others can take over. */
  readonly drainMs: number;
  /** An external PostgreSQL; undefined: the embedded one in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database as the owner of its tables, who runs migrations; undefined: the service's own role runs them. */
  readonly migrationUrl: string | undefined;
  /** The pooler between the service and DATABASE_URL. */
  readonly pooler: Pooler | undefined;
  readonly preparedStatements: boolean;
  /** The maximum number of connections of this process to the database. */
  readonly poolSize: number;
  /** How long one statement of the service may run; undefined: unlimited. */
  readonly statementTimeoutMs: number | undefined;
  /** A streaming standby of the external database, for reads that may be a little old. */
  readonly replicaUrl: string | undefined;
  /** Above this age reads go to the primary. */
  readonly replicaAgeMaxMs: number;
  /** How long a start waits for an external database that does not answer yet. */
  readonly databaseWaitMs: number;
  /** Whether an external database may lose acknowledged writes (synchronous_commit, fsync or full_page_writes off). */
  readonly allowUnsafeDatabase: boolean;
  readonly migrationLockTimeoutMs: number;
  readonly dataDir: string;
  /** The folder of the embedded server's programs; undefined: those that npm installed. */
  readonly postgresBin: string | undefined;
  /** The page cache of the embedded server in MB; undefined: according to the memory of the machine or the container. */
  readonly pageCacheMb: number | undefined;
  /** The URL at which this service is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** The number n of reverse proxies in front of the service. Each appends to `x-forwarded-for`: the client's address is the n-th entry from the end. */
  readonly proxies: number;
  /** The commerce platform's name: second path segment and webhook field; undefined: `storefront` only. */
  readonly platform: string | undefined;
  readonly secretKey: string | undefined;
  /** A second key that can decrypt, for texts that it sealed, or that another node already seals with it, during a rotation of the secret key. */
  readonly secretKeyPrevious: string | undefined;
  /** For how many days after somebody changed another's access the two count as one person for approvals; 0: never. */
  readonly secondPersonDays: number;
  /** The roles that cannot do anything before their second factor is on. */
  readonly secondFactorRoles: readonly string[];
  readonly apiKey: string | undefined;
  readonly apiSecret: string | undefined;
  readonly allowPrivateCallbacks: boolean;
  /** Callback ports below 1024 that are allowed in addition to 80 and 443. */
  readonly callbackPorts: readonly number[];
  readonly sandbox: boolean;
  /** The settings of each platform, which its adapter reads (`platforms/<name>/settings.ts`). */
  readonly platforms: PlatformsSettings;
  readonly limits: RequestLimits;
  readonly retention: Retention;
  readonly backup: BackupSettings;
  /** Access to a bucket, if a place is one; null: there are no credentials for it. */
  readonly objectStore: ObjectStoreAccess | null;
  /**
   * A folder or `s3://bucket/prefix` that gets each checkpoint of the ledger. Outside this machine it proves what was removed from the database;
   * undefined: none.
   */
  readonly checkpointDir: string | undefined;
  /** The URL to which each checkpoint is sent; undefined: none. */
  readonly checkpointUrl: string | undefined;
  /** How people sign in through their company's identity provider; null: they cannot. */
  readonly oidc: OidcSettings | null;
  /** A folder into which scheduled reports may be written; undefined: none. */
  readonly reportsDir: string | undefined;
  /** The store's mail server; null: no mails are sent. */
  readonly mail: MailSettings | null;
  readonly logLevel: string;
  readonly prettyLogs: boolean;
  /** Whether each request gets a log line. */
  readonly accessLog: boolean;
  readonly metrics: MetricsSettings;
  /** Where traces are sent; null: tracing is off. */
  readonly traces: TracesSettings | null;
  /** Settings with our prefix that nothing reads. */
  readonly unknownSettings: readonly UnknownSetting[];
}

export interface UnknownSetting {
  readonly name: string;
  /** The most similar known name; undefined: none is similar. */
  readonly nearest: string | undefined;
}

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];
/** For a rolling restart of several nodes over one database; an embedded database has a single service, so no other node could take over. */
const EXTERNAL_DRAIN_S = 5;

/** Invalid arguments of a command; the process exits with 2. */
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
  const pooler = poolerMode(besideDatabaseUrl(env, "POINTKEEPER_POOLER", databaseUrl));
  const healthPort = textSetting(env, "POINTKEEPER_HEALTH_PORT");
  const drainDefault = databaseUrl === undefined ? 0 : EXTERNAL_DRAIN_S;
  const config = {
    host,
    port,
    role: roleName(args.role ?? "all"),
    healthPort: healthPort === undefined ? undefined : portNumber(healthPort, "POINTKEEPER_HEALTH_PORT"),
    drainMs: secondsSetting(env, "POINTKEEPER_DRAIN_SECONDS", { usual: drainDefault, max: 300 }),
    databaseUrl,
    migrationUrl: besideDatabaseUrl(env, "DATABASE_MIGRATION_URL", databaseUrl),
    pooler,
    preparedStatements: preparedStatements(env, pooler),
    poolSize: numberSetting(env, "POINTKEEPER_POOL_SIZE", { fallback: 12, min: 4, max: 500 }),
    statementTimeoutMs: secondsSetting(env, "POINTKEEPER_STATEMENT_SECONDS", { usual: 0, max: 3_600 }) || undefined,
    replicaUrl: besideDatabaseUrl(env, "DATABASE_REPLICA_URL", databaseUrl),
    replicaAgeMaxMs: secondsSetting(env, "POINTKEEPER_REPLICA_AGE_SECONDS", { usual: 10, min: 2, max: 3_600 }),
    databaseWaitMs: secondsSetting(env, "POINTKEEPER_DATABASE_WAIT_SECONDS", { usual: 30, max: 3_600 }),
    allowUnsafeDatabase: flagSetting(env, "POINTKEEPER_ALLOW_UNSAFE_DATABASE"),
    migrationLockTimeoutMs: secondsSetting(env, "POINTKEEPER_MIGRATION_LOCK_SECONDS", { usual: 5, min: 1, max: 3_600 }),
    dataDir: resolve(textSetting(env, "POINTKEEPER_DATA_DIR") ?? "data"),
    postgresBin: folderSetting(env, "POINTKEEPER_PG_BIN"),
    pageCacheMb: optionalNumberSetting(env, "POINTKEEPER_PG_CACHE_MB", { min: 16, max: 1_048_576 }),
    publicUrl: publicAddress(textSetting(env, "PUBLIC_URL") ?? defaultAddress(host, port)),
    proxies: numberSetting(env, "POINTKEEPER_PROXIES", { fallback: 0, max: 9 }),
    platform: platformName(textSetting(env, "POINTKEEPER_PLATFORM")),
    secretKey,
    secretKeyPrevious: textSetting(env, "POINTKEEPER_SECRET_KEY_PREVIOUS"),
    ...staffSettings(env),
    apiKey: textSetting(env, "POINTKEEPER_API_KEY"),
    apiSecret: secretSetting(env, "POINTKEEPER_API_SECRET"),
    allowPrivateCallbacks: flagSetting(env, "POINTKEEPER_ALLOW_PRIVATE_CALLBACKS"),
    callbackPorts: portsSetting(env, "POINTKEEPER_CALLBACK_PORTS"),
    sandbox: flagSetting(env, "POINTKEEPER_SANDBOX"),
    platforms: readPlatformSettings(env),
    limits: requestLimits(env),
    retention: retention(env),
    backup: backupSettings(env, databaseUrl),
    checkpointDir: placeSetting(env, "POINTKEEPER_CHECKPOINT_DIR"),
    objectStore: objectStoreAccess(env),
    checkpointUrl: addressSetting(env, "POINTKEEPER_CHECKPOINT_URL"),
    reportsDir: folderSetting(env, "POINTKEEPER_REPORTS_DIR"),
    mail: mailSettings(env),
    oidc: oidcSettings(env),
    logLevel: logLevel(textSetting(env, "LOG_LEVEL") ?? "info"),
    prettyLogs: args.pretty ?? false,
    accessLog: flagSetting(env, "POINTKEEPER_ACCESS_LOG"),
    metrics: metricsSettings(env),
    traces: tracesSettings(env),
  };
  return { ...config, unknownSettings: unread() };
}

/** Wraps an environment and records which of our names were read: the others are misspelt, or belong to another version. */
function recordReads(given: Env): { env: Env; unread: () => UnknownSetting[] } {
  const read = new Set<string>();
  const env = new Proxy(given, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
  const unread = () =>
    Object.keys(given)
      .filter((name) => name.startsWith("POINTKEEPER_") && !read.has(name))
      .map((name) => ({ name, nearest: nearestName(name, [...read]) }));
  return { env, unread };
}

/** The settings that the service reads, by name, and why they cannot be used. */
export interface SettingsReport {
  /** Every name that was read, in that order, with its text if it is set. */
  readonly settings: ReadonlyMap<string, string | undefined>;
  /** null: the settings cannot be used, and names after the invalid one were not read. */
  readonly config: Config | null;
  readonly fault: ConfigError | null;
}

/** Returns the settings as `readConfig` reads them; a fault is returned instead of thrown. */
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

/** Reads a setting that only has a meaning together with DATABASE_URL. */
function besideDatabaseUrl(env: Env, name: string, databaseUrl: string | undefined): string | undefined {
  const value = textSetting(env, name);
  if (value !== undefined && databaseUrl === undefined)
    throw new ConfigError(`${name} needs DATABASE_URL: it is not for the embedded database.`);
  return value;
}

function poolerMode(value: string | undefined): Pooler | undefined {
  if (value === undefined || value === "session" || value === "transaction") return value;
  throw new ConfigError(
    `POINTKEEPER_POOLER must be session or transaction, as the pooler's pool_mode, not "${value}".`,
  );
}

function preparedStatements(env: Env, pooler: Pooler | undefined): boolean {
  const isSet = textSetting(env, "POINTKEEPER_PREPARED_STATEMENTS") !== undefined;
  return isSet ? flagSetting(env, "POINTKEEPER_PREPARED_STATEMENTS") : pooler !== "transaction";
}

function logLevel(value: string): string {
  if (!LOG_LEVELS.includes(value))
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}, not "${value}".`);
  return value;
}

function roleName(value: string): Config["role"] {
  if (value === "all" || value === "api" || value === "worker") return value;
  throw new ConfigError(`--role must be all, api or worker, not "${value}".`);
}

function platformName(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[a-z][a-z0-9-]{0,40}$/.test(value)) {
    throw new ConfigError(`POINTKEEPER_PLATFORM must be lower-case letters, digits and dashes, not "${value}".`);
  }
  if (value === "customer")
    throw new ConfigError("POINTKEEPER_PLATFORM must not be customer: /api/customer is the storefront's.");
  return value;
}
