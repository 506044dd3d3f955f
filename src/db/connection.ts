import pg from "pg";
import type { Pooler } from "../config.ts";
import { ConfigError } from "../environment.ts";

/** How a database is reached. */
export interface Connection extends pg.ClientConfig {
  /** A pooler takes no options at the start of a session: the role has them as settings of its own (`start/check-session.ts`). */
  readonly pooler?: Pooler | undefined;
  /** Whether statements are prepared once a connection and called by name; yes when absent. */
  readonly preparedStatements?: boolean;
  /** How long a statement may run, streams apart; absent: as the server has it. */
  readonly statementTimeoutMs?: number | undefined;
}

/** What every session of the service has set, as pg_settings has it. */
export function sessionSettings({ statementTimeoutMs }: Connection): Readonly<Record<string, string>> {
  return {
    timezone: "UTC",
    idle_in_transaction_session_timeout: "30000",
    lock_timeout: "10000",
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: String(statementTimeoutMs) }),
  };
}

/** How one connection of the service is opened. */
export function sessionConfig(connection: Connection): pg.ClientConfig {
  if (connection.pooler !== undefined) return connection;
  const settings = Object.entries(sessionSettings(connection)).map(([name, value]) => `-c ${name}=${value}`);
  return { ...connection, options: [connection.options ?? "", ...settings].join(" ").trim() };
}

/** Read by `new URL` at a scheme of the web only; the driver knows these. */
const URL_FORM = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/;
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Returns how the PostgreSQL of a setting's URL is reached. `sslmode` means what it means to psql and other clients: `require` encrypts
 * and believes any certificate (with `sslrootcert` it checks the authority), `verify-full` checks the host's name too. The driver alone
 * would take `require` as `verify-full`, and has nothing to fall back to at `prefer`.
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
  const connection = { ...of, connectionString: rest, ...(options === null ? {} : { options }) };
  try {
    new pg.Client(connection); // reads the files of certificates, opens nothing
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${setting} cannot be used: ${reason.replace("SECURITY WARNING: ", "")}`);
  }
  return connection;
}

/** Whether the certificate of the server is checked at this URL, as `externalConnection` takes it. */
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
