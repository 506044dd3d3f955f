import { type Config, reportSettings, type SettingsReport } from "../config.ts";
import { secretKeyPath } from "../credentials/secret-key-file.ts";
import type { Given } from "./command-line.ts";
import { inTone, print, tableLines } from "./output.ts";

/** Headers contain tokens. */
const SECRET_NAME = /KEY|SECRET|TOKEN|PASSWORD|HEADERS/;
const MASK = "********";
// A password in addresses that are not URLs but that the driver accepts: a socket, several hosts, a list of parameters.
const PASSWORD_PARAMETER = /\b(password\s*=\s*)[^\s&]+/gi;
const PASSWORD_OF_URL = /(:\/\/[^:/?#@]*:)\S*@/;

/** The defaults of settings, if there are any, in the form in which they would be set. */
const DEFAULTS: Readonly<Record<string, (config: Config) => string | number | null | undefined>> = {
  HOST: ({ host }) => host,
  PORT: ({ port }) => port,
  PUBLIC_URL: ({ publicUrl }) => publicUrl,
  LOG_LEVEL: ({ logLevel }) => logLevel,
  POINTKEEPER_DATA_DIR: ({ dataDir }) => dataDir,
  POINTKEEPER_PROXIES: ({ proxies }) => proxies,
  POINTKEEPER_DRAIN_SECONDS: ({ drainMs }) => drainMs / 1_000,
  POINTKEEPER_DATABASE_WAIT_SECONDS: ({ databaseWaitMs }) => databaseWaitMs / 1_000,
  POINTKEEPER_MIGRATION_LOCK_SECONDS: ({ migrationLockTimeoutMs }) => migrationLockTimeoutMs / 1_000,
  POINTKEEPER_REPLICA_AGE_SECONDS: ({ replicaAgeMaxMs }) => replicaAgeMaxMs / 1_000,
  POINTKEEPER_POOL_SIZE: ({ poolSize }) => poolSize,
  POINTKEEPER_PREPARED_STATEMENTS: ({ preparedStatements }) => Number(preparedStatements),
  POINTKEEPER_STATEMENT_SECONDS: ({ statementTimeoutMs = 0 }) => statementTimeoutMs / 1_000,
  POINTKEEPER_KEEP_RECEIPTS_DAYS: ({ retention }) => retention.receiptDays,
  POINTKEEPER_KEEP_EXPORTS_DAYS: ({ retention }) => retention.exportDays,
  POINTKEEPER_KEEP_IMPORT_FILES_DAYS: ({ retention }) => retention.importFileDays,
  POINTKEEPER_KEEP_WEBHOOKS_DAYS: ({ retention }) => retention.webhookDays,
  POINTKEEPER_KEEP_REQUESTS_HOURS: ({ retention }) => retention.requestHours,
  POINTKEEPER_BACKUP_EVERY_HOURS: ({ backup }) => backup.everyMs / 3_600_000,
  POINTKEEPER_BACKUP_KEEP: ({ backup }) => backup.keep,
  POINTKEEPER_BACKUP_LOG: ({ backup }) => Number(backup.isLogArchived),
  POINTKEEPER_BACKUP_LOG_SECONDS: ({ backup }) => backup.logSeconds,
  POINTKEEPER_ACCESS_LOG: ({ accessLog }) => Number(accessLog),
  POINTKEEPER_METRICS_HOST: ({ metrics }) => metrics.host,
  POINTKEEPER_SMTP_PLAINTEXT: ({ mail }) => (mail === null ? undefined : Number(mail.security === "none")),
  POINTKEEPER_OIDC_SCOPES: ({ oidc }) => oidc?.scopes,
  POINTKEEPER_OIDC_NAME: ({ oidc }) => oidc?.name,
  POINTKEEPER_OIDC_ONLY: ({ oidc }) => oidc && Number(oidc.isOnly),
  POINTKEEPER_OIDC_LINK_BY_EMAIL: ({ oidc }) => oidc && Number(oidc.linksByEmail),
  POINTKEEPER_OIDC_SESSION_HOURS: ({ oidc }) => oidc?.sessionHours,
  OTEL_SERVICE_NAME: ({ traces }) => traces?.serviceName,
  OTEL_TRACES_SAMPLER_ARG: ({ traces }) => traces?.ratio,
  POINTKEEPER_SECOND_PERSON_DAYS: ({ secondPersonDays }) => secondPersonDays,
  POINTKEEPER_ADDRESS_RATE: ({ limits }) => limits.addressRate,
  POINTKEEPER_FAILURE_RATE: ({ limits }) => limits.failureRate,
  POINTKEEPER_CREDENTIAL_RATE: ({ limits }) => limits.credentialRate,
  POINTKEEPER_CUSTOMER_RATE: ({ limits }) => limits.customerRate,
  POINTKEEPER_CONNECTIONS: ({ limits }) => limits.connections,
  POINTKEEPER_CONNECTIONS_PER_ADDRESS: ({ limits }) => limits.connectionsPerAddress,
  POINTKEEPER_ALLOW_UNSAFE_DATABASE: ({ allowUnsafeDatabase }) => Number(allowUnsafeDatabase),
  POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: ({ allowPrivateCallbacks }) => Number(allowPrivateCallbacks),
  POINTKEEPER_SANDBOX: ({ sandbox }) => Number(sandbox),
  POINTKEEPER_SECRET_KEY: ({ databaseUrl, dataDir }) =>
    databaseUrl === undefined ? `(the file ${secretKeyPath(dataDir)})` : undefined,
  DATABASE_URL: ({ dataDir }) => `(the embedded PostgreSQL in ${dataDir})`,
};

interface ShownSetting {
  readonly name: string;
  /** Null: not set, and without a default. */
  readonly value: string | null;
  readonly source: "environment" | "default";
}

/**
 * `pointkeeper config`: every setting that the service reads, its value and where that comes from; secrets are masked. Returns 1 if the settings are
 * invalid, and then shows those that were read before the fault.
 */
export async function showConfig(given: Given): Promise<number> {
  const report = reportSettings();
  const { config, fault } = report;
  const shown = shownSettings(report);
  const unknown = config?.unknownSettings ?? [];
  const rows = shown.map(({ name, value, source }) => [
    name,
    value ?? inTone("quiet", "(not set)"),
    source === "default" ? inTone("quiet", source) : source,
  ]);
  const text = [
    ...tableLines(["setting", "value", "from"], rows, { header: "always" }),
    ...unknown.map(({ name, nearest }) =>
      inTone(
        "warning",
        `${name} is set, but nothing reads it: ${nearest === undefined ? "misspelt, or of another version?" : `is ${nearest} meant?`}`,
      ),
    ),
    ...(fault === null ? [] : [inTone("bad", fault.message)]),
  ];
  print(given, {
    json: { settings: shown, unknown: unknown.map(({ name }) => name), fault: fault?.message ?? null },
    text,
  });
  return fault === null ? 0 : 1;
}

/** Returns every setting that was read, by name. */
export function shownSettings({ settings, config }: SettingsReport): ShownSetting[] {
  return [...settings].map(([name, text]) => settingOf(name, text, config)).sort(byName);
}

function byName(a: ShownSetting, b: ShownSetting): number {
  return a.name < b.name ? -1 : 1;
}

function settingOf(name: string, text: string | undefined, config: Config | null): ShownSetting {
  const value = text?.trim() ?? "";
  if (value !== "") return { name, value: masked(name, value), source: "environment" };
  const usual = config === null ? undefined : DEFAULTS[name]?.(config);
  return { name, value: usual === undefined || usual === null ? null : String(usual), source: "default" };
}

/** Returns a value for display: hides secrets completely, and passwords in addresses. */
export function masked(name: string, value: string): string {
  if (SECRET_NAME.test(name)) return MASK;
  if (!URL.canParse(value))
    return value.replace(PASSWORD_PARAMETER, `$1${MASK}`).replace(PASSWORD_OF_URL, `$1${MASK}@`);
  const url = new URL(value);
  if (url.password !== "") url.password = MASK;
  for (const key of [...url.searchParams.keys()])
    if (/password|secret|token|key$/i.test(key)) url.searchParams.set(key, MASK);
  const isChanged = url.href.includes(encodeURIComponent(MASK)) || url.href.includes(MASK);
  return isChanged ? url.href : value;
}
