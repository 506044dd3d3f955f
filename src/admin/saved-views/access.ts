import { Problem } from "../../problems.ts";
import { can } from "../../staff/permissions.ts";
import type { Role } from "../../wire/access.ts";
import type { SavedView } from "./queries.ts";

/** Whoever reads or changes views. */
export interface Person {
  readonly uid: string;
  readonly role: Role;
}

/** Whether a person may rename, replace or remove a view that they see: their own, and a shared one with the permission to share. */
export function canChangeView(
  { isShared, staffUid }: Pick<SavedView, "isShared" | "staffUid">,
  person: Person,
): boolean {
  return isShared ? canShareViews(person) : staffUid === person.uid;
}

export function canShareViews({ role }: Person): boolean {
  return can(role, "views.share");
}

/** The refusal of whoever may not share views, nor change shared ones. */
export function sharingForbidden({ role }: Person): Problem {
  return new Problem("forbidden", { faults: [{ detail: `the role ${role} lacks the permission views.share` }] });
}
