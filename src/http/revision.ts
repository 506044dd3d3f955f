import { createHash } from "node:crypto";

/** What a form of settings was opened with, in the request that saves it: `revisionOf` of the settings that it showed. */
export interface SeenRevision {
  /** Absent: whatever is stored is replaced. */
  readonly revision?: string | undefined;
}

/** Identifies stored settings by their values, which have to be in a fixed order. */
export function revisionOf(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22);
}

/** Whether saving would replace settings that the person has not seen. A change that is sent again, and is stored already, replaces nothing. */
export function isOverwrite(
  { revision }: SeenRevision,
  { stored, given }: { readonly stored: readonly unknown[]; readonly given: readonly unknown[] },
): boolean {
  if (revision === undefined) return false;
  const present = revisionOf(stored);
  return revision !== present && revisionOf(given) !== present;
}
