import { BackupError } from "../backup/manifest.ts";
import { UsageError } from "../config.ts";
import { SecretBoxError } from "../credentials/secret-box.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { EmbeddedServerError } from "../db/embedded/embedded-server-error.ts";
import { MigrationError, SchemaError } from "../db/migration-files.ts";
import { NoStoreError } from "../db/no-store-error.ts";
import { ConfigError } from "../environment.ts";
import { Problem } from "../problems.ts";

/** Errors whose message is the line to show. */
const OURS = [ConfigError, UsageError, NoStoreError, EmbeddedServerError, MigrationError, SecretBoxError, BackupError];
/** Logging in, and a database or role that is not there. */
const REFUSED_STATES = ["28000", "28P01", "3D000", "42501"];

/** The exit codes of docs/operations.md, for what a start or command threw. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof NoStoreError) return 3;
  return error instanceof SchemaError ? 4 : 1;
}

/** What a start or command that failed tells its user: one line where the cause is known, else the whole error. */
export function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (OURS.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Problem) {
    const faults = error.faults.map((fault) => `${fault.pointer ?? fault.parameter ?? ""} ${fault.detail}`.trim());
    return faults.length === 0 ? error.title : faults.join("\n");
  }
  const { code, syscall, address, port } = { code: "", syscall: "", address: "", port: "", ...error };
  if (syscall === "listen" && code === "EADDRINUSE")
    return `Port ${port} of ${address} is in use: set another with PORT.`;
  if (syscall === "listen")
    return `The service cannot listen on port ${port} of ${address} (${code}): check HOST and PORT.`;
  if (isDatabaseAway(error) || REFUSED_STATES.includes(code))
    return `The database cannot be used: ${error.message || code}.`;
  return error.stack ?? error.message;
}
