import { type CallLimits, SilentPlaceError, whileAnswering } from "../file-calls.ts";
import { BackupError } from "./manifest.ts";

/**
 * Returns what a call on a folder of backups returns.
 * @throws BackupError where it does not return: a job that waited for it would never run again, and nobody would know. At once, where another call near it
 * has not returned
 */
export async function answered<T>(
  place: string,
  begin: (advances: () => void) => Promise<T>,
  limits: CallLimits = {},
): Promise<T> {
  try {
    return await whileAnswering(place, begin, limits);
  } catch (error) {
    throw error instanceof SilentPlaceError ? new BackupError(`${error.message}.`, { cause: error }) : error;
  }
}
