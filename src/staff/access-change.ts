import type { Role } from "../wire/access.ts";

/** The kinds of changes to a person's access to the dashboard. */
export type AccessChangeKind = "invited" | "reset" | "totp_removed" | "raised" | "lowered" | "enabled" | "disabled";

/** A change of a person's access, as it is reported to the owners. */
export interface AccessChange {
  readonly uid: string;
  readonly at: Temporal.Instant;
  readonly kind: AccessChangeKind;
  readonly staffUid: string;
  readonly name: string;
  readonly email: string;
  /** The person's role after the change. */
  readonly role: Role;
  readonly byKind: "staff" | "command" | "provider";
  readonly byName: string;
}

/** A person who made one of these changes may be able to act as the other person, so the two count as one person for an approval. */
export const HOLDS: readonly AccessChangeKind[] = ["invited", "reset", "totp_removed", "raised", "enabled"];

/** Whether a role was raised or lowered; null where it is the same. */
export function roleChange(roles: readonly Role[], before: Role, after: Role): "raised" | "lowered" | null {
  if (before === after) return null;
  return roles.indexOf(after) < roles.indexOf(before) ? "raised" : "lowered";
}
