import { ConfigError } from "../environment.ts";
import { NotFoundError } from "../start/failure-line.ts";

/** For `catch`: names a file of a command line that cannot be read. One that is not there ends the command with 4, like everything that it names. */
export function nameUnreadable(path: string): (error: unknown) => never {
  return (error) => {
    const says = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw isMissing ? new NotFoundError(says) : new ConfigError(says);
  };
}
