import { ConfigError } from "../environment.ts";
import { NotFoundError } from "../start/failure-line.ts";

/**
 * For `catch`: names a file of a command line that cannot be read. A missing file ends the command with 4, like everything else that a command
 * names and that does not exist; `Unreadable` is the error for any other reason.
 */
export function nameUnreadable(
  name: string,
  Unreadable: new (message: string) => Error = ConfigError,
): (error: unknown) => never {
  return (error) => {
    const says = `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw isMissing ? new NotFoundError(says) : new Unreadable(says);
  };
}
