import { ConfigError } from "../config.ts";
import { EmbeddedServerError } from "../db/embedded/embedded-server-error.ts";
import { MigrationError } from "../db/migrate.ts";
import { isDatabaseAway } from "../http/refusal.ts";
import { Problem } from "../problems.ts";
import { SecretBoxError } from "../shop/secret-box.ts";

/** Logging in, and a database or role that is not there. */
const REFUSED_STATES = ["28000", "28P01", "3D000", "42501"];

/** What a start or command that failed tells its user: one line where the cause is known, else the whole error. */
export function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = [ConfigError, EmbeddedServerError, MigrationError, SecretBoxError].some(
    (kind) => error instanceof kind,
  );
  if (isOurs) return error.message;
  if (error instanceof Problem) {
    const faults = error.faults.map((fault) => `${fault.pointer ?? fault.parameter ?? ""} ${fault.detail}`.trim());
    return faults.length === 0 ? error.title : faults.join("\n");
  }
  const { code, syscall, address, port } = { code: "", syscall: "", address: "", port: "", ...error };
  if (code.startsWith("ERR_PARSE_ARGS")) return `${error.message} See pointkeeper help.`;
  if (syscall === "listen" && code === "EADDRINUSE")
    return `Port ${port} of ${address} is in use: name another with PORT.`;
  if (syscall === "listen")
    return `The service cannot listen on port ${port} of ${address} (${code}): see HOST and PORT.`;
  if (isDatabaseAway(error) || REFUSED_STATES.includes(code))
    return `The database cannot be used: ${error.message || code}.`;
  return error.stack ?? error.message;
}
