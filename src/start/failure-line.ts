import { BackupError, NoBackupError } from "../backup/manifest.ts";
import { UsageError } from "../config.ts";
import { SecretBoxError } from "../credentials/secret-box.ts";
import { isDatabaseAway } from "../db/database-away.ts";
import { EmbeddedServerError } from "../db/embedded/embedded-server-error.ts";
import { MigrationError, SchemaError } from "../db/migration-files.ts";
import { NoStoreError } from "../db/no-store-error.ts";
import { NO_PRIVILEGE_STATE, sqlState } from "../db/pool.ts";
import { ConfigError } from "../environment.ts";
import { SilentPlaceError } from "../file-calls.ts";
import { NotErasedError } from "../intake/not-erased-error.ts";
import { ObjectStoreError } from "../object-store/object-store-error.ts";
import { ConnectError, PlatformAwayError } from "../platform-sync/connect-error.ts";
import { type Fault, Problem } from "../problems.ts";

/** An argument of a command names something that does not exist. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}

/** The kinds of failure in `--json`, and the exit code of each (docs/operations.md). */
const EXIT_CODES = {
  failed: 1,
  usage: 2,
  database_away: 3,
  not_found: 4,
  schema: 5,
} as const;
type FailureKind = keyof typeof EXIT_CODES;

/** Returns the exit code for an error of a start or command. */
export function exitCodeOf(error: unknown): number {
  return EXIT_CODES[kindOf(error)];
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof UsageError) return "usage";
  if (error instanceof SchemaError) return "schema";
  if (error instanceof NotFoundError || error instanceof NoBackupError) return "not_found";
  if (error instanceof Problem) {
    if (error.status === 404) return "not_found";
    return error.code === "unavailable" ? "database_away" : "failed";
  }
  return error instanceof NoStoreError || isUnusable(error) ? "database_away" : "failed";
}

function isUnusable(error: unknown): boolean {
  return isDatabaseAway(error) || sqlState(error) === NO_PRIVILEGE_STATE;
}

/** What a failed command prints with `--json`. `code`: the code of the refusal, or else the kind of failure. */
export interface FailureDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly exit_code: number;
    readonly faults?: readonly Fault[];
  };
}

/** Returns `failureLine` as a document. */
export function failureDocument(error: unknown): FailureDocument {
  const code = error instanceof Problem ? error.code : kindOf(error);
  const faults = error instanceof Problem && error.faults.length > 0 ? { faults: error.faults } : {};
  return { error: { code, message: failureLine(error), exit_code: exitCodeOf(error), ...faults } };
}

/** Errors whose message can be shown as it is. */
const OURS = [
  ConfigError,
  UsageError,
  NotFoundError,
  NoStoreError,
  EmbeddedServerError,
  MigrationError,
  SecretBoxError,
  BackupError,
  ObjectStoreError,
  ConnectError,
  PlatformAwayError,
  SilentPlaceError,
  NotErasedError,
];

/** What to do about a file that cannot be used, by the code of the system. */
const FILE_ADVICE: Readonly<Record<string, string>> = {
  EACCES: "The user of this process may not do that: check the owner and the mode of the file and of its folders.",
  EPERM: "The user of this process may not do that: check the owner and the mode of the file and of its folders.",
  EROFS: "The disk is mounted for reading only.",
  ENOSPC: "The disk is full.",
  EDQUOT: "The disk quota is used up.",
  ENOTDIR: "A part of this path is a file.",
  EIO: "The disk fails.",
};

/** Returns the line for a file that cannot be used; undefined: the error is of another kind. */
function fileLine(error: Error): string | undefined {
  const advice = "syscall" in error && "code" in error ? FILE_ADVICE[String(error.code)] : undefined;
  return advice === undefined ? undefined : `${error.message}. ${advice}`;
}

/** Returns the text for a failed start or command: one line if the cause is known, otherwise the stack. */
export function failureLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (OURS.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Problem) {
    const faults = error.faults.map((fault) => `${fault.pointer ?? fault.parameter ?? ""} ${fault.detail}`.trim());
    return faults.length === 0 ? error.title : faults.join("\n");
  }
  if (isUnusable(error)) return `The database cannot be used: ${error.message || Reflect.get(error, "code")}.`;
  return fileLine(error) ?? error.stack ?? error.message;
}
