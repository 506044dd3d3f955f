import { readNoteFile } from "../checkpoints/checkpoint-files.ts";
import { UsageError } from "../config.ts";
import { whileAnswering } from "../file-calls.ts";
import { nameUnreadable } from "./name-unreadable.ts";

/**
 * Reads a checkpoint or proof that a command names. A file that cannot be read never ends a command with 1: of `verify` and `verify-proof` that means
 * that something does not hold.
 * @throws NotFoundError, UsageError
 */
export function readNamedNote(path: string, name: string): Promise<string> {
  return whileAnswering(path, () => readNoteFile(path)).catch(nameUnreadable(name, UsageError));
}
