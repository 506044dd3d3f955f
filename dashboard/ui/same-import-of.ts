import { ApiError } from "../api/api-error.ts";

/** Returns the uid of the import with the same content, because of which another one was refused. */
export function sameImportOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return /^\/imports\/([\w-]+)$/.exec(error.faults[0]?.pointer ?? "")?.[1] ?? null;
}
