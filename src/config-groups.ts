import { resolve } from "node:path";
import {
  ConfigError,
  type Env,
  flagSetting,
  listSetting,
  numberSetting,
  portNumber,
  secretSetting,
  textSetting,
} from "./environment.ts";
import {
  isObjectPlace,
  OBJECT_PLACE_RULE,
  type ObjectStoreAccess,
  objectPlaceText,
  parseObjectPlace,
} from "./object-store/object-place.ts";
import { ROLES } from "./wire/access.ts";

// Groups of settings that config.ts reads together, each with its own limits.

/** How many days data is kept that nothing depends on any more. */
export interface Retention {
  /** Bodies of processed receipts, after their arrival. */
  readonly receiptDays: number;
  /** Files of exports, after the request. */
  readonly exportDays: number;
  /** Files of imports and their errors, after the upload. */
  readonly importFileDays: number;
  /** Events of webhooks and delivery attempts, except events that still have to be delivered. */
  readonly webhookDays: number;
  /** Lines of the request log of credentials; 0: it is off. */
  readonly requestHours: number;
}

/** Who may read /metrics, and where. */
export interface MetricsSettings {
  /** A separate port; undefined: only the service's port serves /metrics. */
  readonly port: number | undefined;
  readonly host: string;
  /** Anybody who sends it may read; undefined: on the service's port only this machine may. */
  readonly token: string | undefined;
}

export interface TracesSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly ratio: number;
}

/** Where and how often the worker backs the store up (docs/backup.md). */
export interface BackupSettings {
  /** Where the scheduled backups are stored: a folder, or `s3://bucket/prefix`; undefined: none are made. */
  readonly dir: string | undefined;
  readonly everyMs: number;
  /** The number of scheduled backups that are kept. */
  readonly keep: number;
  /** Public keys of age for which every backup is encrypted; none: backups are not encrypted. */
  readonly recipients: readonly string[];
  /** Whether the log of the embedded database is archived too, which allows a restore to any moment. */
  readonly isLogArchived: boolean;
  /** Seconds after which a segment of the log that has data is archived, full or not. */
  readonly logSeconds: number;
}

/** Limits for one sender in this process, so that others are served. */
export interface RequestLimits {
  /** Requests per minute of one address to routes that need no credential; 0: unlimited. */
  readonly addressRate: number;
  /** Requests per minute of one address that are refused with 401; 0: unlimited. */
  readonly failureRate: number;
  /** Requests per minute of one credential; 0: unlimited. */
  readonly credentialRate: number;
  /** Requests per minute that pages send for one customer; 0: unlimited. */
  readonly customerRate: number;
  readonly connections: number;
  /** Per address; 0: unlimited. Not used behind proxies, which hold the connections. */
  readonly connectionsPerAddress: number;
  /** Total bytes of bodies that are being read from senders who are not known yet. */
  readonly unknownBodyBytes: number;
  /** The same for known senders. */
  readonly knownBodyBytes: number;
  /** For how many milliseconds the rows of a list are counted. */
  readonly countMs: number;
}

const UNKNOWN_BODY_BYTES = 32 * 1_048_576;
const KNOWN_BODY_BYTES = 32 * 1_048_576;
/** Whoever reads the list does not wait for its total. */
const COUNT_MS = 1_000;

/** Returns the limits for one sender. Throws ConfigError. */
export function requestLimits(env: Env): RequestLimits {
  return {
    addressRate: numberSetting(env, "POINTKEEPER_ADDRESS_RATE", { fallback: 3_000 }),
    failureRate: numberSetting(env, "POINTKEEPER_FAILURE_RATE", { fallback: 3_000 }),
    credentialRate: numberSetting(env, "POINTKEEPER_CREDENTIAL_RATE", { fallback: 0 }),
    customerRate: numberSetting(env, "POINTKEEPER_CUSTOMER_RATE", { fallback: 120 }),
    connections: numberSetting(env, "POINTKEEPER_CONNECTIONS", { fallback: 1_000, min: 10 }),
    connectionsPerAddress: numberSetting(env, "POINTKEEPER_CONNECTIONS_PER_ADDRESS", { fallback: 900 }),
    unknownBodyBytes: UNKNOWN_BODY_BYTES,
    knownBodyBytes: KNOWN_BODY_BYTES,
    countMs: COUNT_MS,
  };
}

const KEPT_DAYS = 30;
const KEPT_DAYS_MAX = 3_650;
const REQUEST_HOURS_MAX = 168;

/** Returns the retention times. The interface promises the files of exports for 30 days, so they can only be kept longer. */
export function retention(env: Env): Retention {
  const days = (name: string, min: number) =>
    numberSetting(env, name, { fallback: KEPT_DAYS, min, max: KEPT_DAYS_MAX });
  return {
    receiptDays: days("POINTKEEPER_KEEP_RECEIPTS_DAYS", 1),
    exportDays: days("POINTKEEPER_KEEP_EXPORTS_DAYS", KEPT_DAYS),
    importFileDays: days("POINTKEEPER_KEEP_IMPORT_FILES_DAYS", 1),
    webhookDays: days("POINTKEEPER_KEEP_WEBHOOKS_DAYS", 1),
    requestHours: numberSetting(env, "POINTKEEPER_KEEP_REQUESTS_HOURS", { fallback: 24, max: REQUEST_HOURS_MAX }),
  };
}

/** Returns who may read the metrics. Throws ConfigError. */
export function metricsSettings(env: Env): MetricsSettings {
  const port = textSetting(env, "POINTKEEPER_METRICS_PORT");
  return {
    port: port === undefined ? undefined : portNumber(port, "POINTKEEPER_METRICS_PORT"),
    host: textSetting(env, "POINTKEEPER_METRICS_HOST") ?? "127.0.0.1",
    token: secretSetting(env, "POINTKEEPER_METRICS_TOKEN"),
  };
}

/** Returns the settings of OpenTelemetry, by their usual names: traces are on if a collector is set. */
export function tracesSettings(env: Env): TracesSettings | null {
  const name = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const endpoint = textSetting(env, name);
  // read even if it is not used: `pointkeeper config` shows what was read
  const ratioText = textSetting(env, "OTEL_TRACES_SAMPLER_ARG") ?? "1";
  const serviceName = textSetting(env, "OTEL_SERVICE_NAME") ?? "pointkeeper";
  const headersText = listSetting(env, "OTEL_EXPORTER_OTLP_HEADERS");
  if (endpoint === undefined) return null;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new ConfigError(`${name} must be an http or https address, not "${endpoint}".`);
  const ratio = Number(ratioText);
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.");
  return {
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: headerPairs(headersText, "OTEL_EXPORTER_OTLP_HEADERS"),
    serviceName,
    ratio,
  };
}

/** Parses `name=value` pairs separated by commas, with percent-encoded values. No error contains a value, which may be a secret. */
function headerPairs(texts: readonly string[], name: string): Record<string, string> {
  const pairs = texts.map((pair) => /^([\w-]+)\s*=\s*([\x21-\x7e]*)$/.exec(pair));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = "", value = ""] = pair ?? [];
      if (key === "") throw new ConfigError(`${name} must be name=value pairs with commas.`);
      try {
        return [key, decodeURIComponent(value)];
      } catch {
        throw new ConfigError(`${name} must have values that are percent-encoded.`);
      }
    }),
  );
}

const HOUR_MS = 3_600_000;
const RECIPIENT = /^age1[0-9a-z]{10,2000}$/;

/** Returns the schedule of backups. Throws ConfigError. */
export function backupSettings(env: Env, databaseUrl: string | undefined): BackupSettings {
  const dir = placeSetting(env, "POINTKEEPER_BACKUP_DIR");
  const recipients = listSetting(env, "POINTKEEPER_BACKUP_RECIPIENTS");
  const wrong = recipients.findIndex((recipient) => !RECIPIENT.test(recipient));
  if (wrong >= 0) {
    throw new ConfigError(
      `POINTKEEPER_BACKUP_RECIPIENTS must be public keys of age, age1..., separated by commas: key ${wrong + 1} is none. See "pointkeeper backup new-key".`,
    );
  }
  const isLogArchived = flagSetting(env, "POINTKEEPER_BACKUP_LOG");
  if (isLogArchived && (dir === undefined || databaseUrl !== undefined)) {
    throw new ConfigError(
      "POINTKEEPER_BACKUP_LOG archives the log of the embedded database into POINTKEEPER_BACKUP_DIR: set that, and no DATABASE_URL.",
    );
  }
  return {
    dir,
    everyMs: numberSetting(env, "POINTKEEPER_BACKUP_EVERY_HOURS", { fallback: 24, min: 1, max: 744 }) * HOUR_MS,
    keep: numberSetting(env, "POINTKEEPER_BACKUP_KEEP", { fallback: 7, min: 1, max: 1_000 }),
    recipients,
    isLogArchived,
    logSeconds: numberSetting(env, "POINTKEEPER_BACKUP_LOG_SECONDS", { fallback: 60, min: 1, max: 3_600 }),
  };
}

/** Returns a folder as an absolute path, or `s3://bucket/prefix`; undefined: not set. */
export function placeSetting(env: Env, name: string): string | undefined {
  const text = textSetting(env, name);
  if (text === undefined || !isObjectPlace(text)) return folderSetting(env, name);
  const place = parseObjectPlace(text);
  if (place === null) throw new ConfigError(`${name} must be a folder, or ${OBJECT_PLACE_RULE}; not "${text}".`);
  if (objectStoreAccess(env) === null)
    throw new ConfigError(`${name} names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY too.`);
  return objectPlaceText(place);
}

/** Returns the access to a bucket, by the usual names of AWS; null: there are no credentials. Throws ConfigError. */
export function objectStoreAccess(env: Env): ObjectStoreAccess | null {
  const own = addressSetting(env, "AWS_ENDPOINT_URL_S3");
  const endpoint = own ?? addressSetting(env, "AWS_ENDPOINT_URL") ?? null;
  const region = textSetting(env, "AWS_REGION") ?? textSetting(env, "AWS_DEFAULT_REGION") ?? "us-east-1";
  const accessKeyId = textSetting(env, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = textSetting(env, "AWS_SECRET_ACCESS_KEY");
  const sessionToken = textSetting(env, "AWS_SESSION_TOKEN") ?? null;
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { endpoint, region, accessKeyId, secretAccessKey, sessionToken };
}

/** Returns a folder as an absolute path; undefined: not set. */
export function folderSetting(env: Env, name: string): string | undefined {
  const path = textSetting(env, name);
  return path === undefined ? undefined : resolve(path);
}

/** Returns an http or https URL; undefined: not set. */
export function addressSetting(env: Env, name: string): string | undefined {
  const value = textSetting(env, name);
  if (value === undefined || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return value;
  throw new ConfigError(`${name} must be an http or https address, not "${value}".`);
}

/** The first path segments of the service's own routes. Below one of them it would be unclear whether a proxy removed the public path. */
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
  "unsubscribe",
  "widget.js",
];

/** PUBLIC_URL where it is not set. */
export function defaultAddress(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the URL at which clients reach the service, without a slash at its end. Throws ConfigError. */
export function publicAddress(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https address, not "${value}".`);
  }
  const { pathname, username } = new URL(value);
  if (/[?#]/.test(value) || username !== "")
    throw new ConfigError('PUBLIC_URL must be an address that others begin with: without "?", "#" and a user.');
  const first = pathname.split("/", 2)[1] ?? "";
  if (OWN_PATHS.includes(first))
    throw new ConfigError(`PUBLIC_URL must not begin with a path of the service's own: /${first} in "${value}".`);
  return value.replace(/\/+$/, "");
}

const SECOND_PERSON_DAYS_MAX = 365;

/** Returns the requirements for people who sign in. Throws ConfigError. */
export function staffSettings(env: Env): { readonly secondPersonDays: number; readonly secondFactorRoles: string[] } {
  const names = ["POINTKEEPER_REQUIRE_SECOND_FACTOR", "POINTKEEPER_REQUIRE_TOTP"]; // the second is the older name
  return {
    secondPersonDays: numberSetting(env, "POINTKEEPER_SECOND_PERSON_DAYS", {
      fallback: 7,
      max: SECOND_PERSON_DAYS_MAX,
    }),
    secondFactorRoles: [...new Set(names.flatMap((name) => roleList(env, name)))],
  };
}

function roleList(env: Env, name: string): string[] {
  const roles = listSetting(env, name);
  const unknown = roles.find((role) => !ROLES.some((one) => one === role));
  if (unknown !== undefined) throw new ConfigError(`${name} names roles, ${ROLES.join(", ")}, not "${unknown}".`);
  return roles;
}
