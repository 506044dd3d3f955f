import pg from "pg";
import type { Pooler } from "../config.ts";
import { ConfigError } from "../environment.ts";

/** How to connect to a database. */
export interface Connection extends pg.ClientConfig {
  /** A pooler passes no options at the start of a session, so the role needs them as its own settings (`start/check-session.ts`). */
  readonly pooler?: Pooler | undefined;
  /** Whether statements are prepared once per connection and called by name; true if absent. */
  readonly preparedStatements?: boolean;
  /** How long a statement may run, except streams; absent: as the server is configured. */
  readonly statementTimeoutMs?: number | undefined;
}

/** Returns the settings of every session of the service, with the names of pg_settings. */
export function sessionSettings({ statementTimeoutMs }: Connection): Readonly<Record<string, string>> {
  return {
    timezone: "UTC",
    idle_in_transaction_session_timeout: "30000",
    lock_timeout: "10000",
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: String(statementTimeoutMs) }),
  };
}

/** Returns the configuration of a connection of the service. */
export function sessionConfig(connection: Connection): pg.ClientConfig {
  if (connection.pooler !== undefined) return connection;
  const settings = Object.entries(sessionSettings(connection)).map(([name, value]) => `-c ${name}=${value}`);
  return { ...connection, options: [connection.options ?? "", ...settings].join(" ").trim() };
}

/**
 * A machine that vanishes answers nothing more, not even that its connections are over: without probes a statement whose answer is awaited would wait
 * for ever. The probes begin after this time without an answer, and give up some ten seconds later.
 */
const PROBES = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** The forms of URL that the driver supports; `new URL` parses them only with a web scheme. */
const URL_FORM = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/;
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Returns the connection for a setting's PostgreSQL URL. `sslmode` has the same meaning as in psql and other clients: `require` encrypts and accepts any
 * certificate (with `sslrootcert` it checks the authority), `verify-full` also checks the host name. The driver by itself would treat `require` like
 * `verify-full`, and has no fallback for `prefer`.
 * @throws ConfigError for a URL that cannot be used
 */
export function externalConnection(url: string, setting: string, of: Omit<Connection, "connectionString">): Connection {
  if (!URL_FORM.test(url))
    throw new ConfigError(`${setting} must be a URL like postgresql://user:password@host:5432/database.`);
  const [place = "", query = ""] = splitOnce(url, "?");
  const params = new URLSearchParams(query);
  const options = params.get("options"); // in the URL they would replace those of the session
  params.delete("options");
  const mode = params.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new ConfigError(`sslmode in ${setting} must be one of ${SSL_MODES.join(", ")}, not "${mode}".`);
  if (params.get("sslrootcert") === "system") {
    params.delete("sslrootcert"); // the authorities that Node brings
    params.set("sslmode", "verify-full");
  } else if (mode !== null && mode !== "no-verify" && !params.has("uselibpqcompat"))
    params.set("uselibpqcompat", "true");
  const rest = params.size === 0 ? place : `${place}?${params}`;
  const connection = { ...PROBES, ...of, connectionString: rest, ...(options === null ? {} : { options }) };
  try {
    new pg.Client(connection); // reads the files of certificates, opens nothing
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${setting} cannot be used: ${reason.replace("SECURITY WARNING: ", "")}`);
  }
  return connection;
}

/** Whether the server's certificate is checked for this URL, according to `externalConnection`. */
export function checksCertificate(url: string): boolean {
  const [, query = ""] = splitOnce(url, "?");
  const params = new URLSearchParams(query);
  const mode = params.get("sslmode");
  if (mode === "verify-ca" || mode === "verify-full" || params.get("sslrootcert") === "system") return true;
  if (mode === "disable" || mode === "no-verify") return false;
  return params.has("sslrootcert") || (mode === null && params.get("ssl") === "true");
}

function splitOnce(text: string, by: string): string[] {
  const at = text.indexOf(by);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
