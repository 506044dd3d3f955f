import type { Role } from "../wire/access.ts";

/** What was done to somebody's way into the dashboard. */
export type AccessChangeKind = "invited" | "reset" | "totp_removed" | "raised" | "lowered" | "enabled" | "disabled";

/** A change of somebody's access, as owners are notified of it. */
export interface AccessChange {
  readonly uid: string;
  readonly at: Temporal.Instant;
  readonly kind: AccessChangeKind;
  readonly staffUid: string;
  readonly name: string;
  readonly email: string;
  /** The person's from then on. */
  readonly role: Role;
  readonly byKind: "staff" | "command" | "provider";
  readonly byName: string;
}

/** A person who did one of these may be able to act as the other: the two count as one person for an approval. */
export const HOLDS: readonly AccessChangeKind[] = ["invited", "reset", "totp_removed", "raised", "enabled"];

/** What a changed role is; null: it is the same. */
export function roleChange(roles: readonly Role[], before: Role, after: Role): "raised" | "lowered" | null {
  if (before === after) return null;
  return roles.indexOf(after) < roles.indexOf(before) ? "raised" : "lowered";
}
