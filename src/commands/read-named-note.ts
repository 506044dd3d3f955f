import { readNoteFile } from "../checkpoints/checkpoint-files.ts";
import { UsageError } from "../config.ts";
import { NotFoundError } from "../start/failure-line.ts";

/**
 * Reads a checkpoint or proof that a command names. A file that cannot be read never ends a command with 1: of `verify` and `verify-proof` that means
 * that something does not hold.
 * @throws NotFoundError, UsageError
 */
export async function readNamedNote(path: string, name: string): Promise<string> {
  try {
    return await readNoteFile(path);
  } catch (error) {
    const says = `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw isMissing ? new NotFoundError(says) : new UsageError(says);
  }
}
