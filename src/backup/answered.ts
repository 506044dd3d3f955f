import { SilentPlaceError, whileAnswering } from "../file-calls.ts";
import { BackupError } from "./manifest.ts";

/**
 * Returns what a call on a folder of backups returns.
 * @throws BackupError where it does not return: a job that waited for it would never run again, and nobody would know
 */
export async function answered<T>(
  place: string,
  call: Promise<T>,
  limits: Parameters<typeof whileAnswering>[2] = {},
): Promise<T> {
  try {
    return await whileAnswering(place, call, limits);
  } catch (error) {
    throw error instanceof SilentPlaceError ? new BackupError(`${error.message}.`, { cause: error }) : error;
  }
}
