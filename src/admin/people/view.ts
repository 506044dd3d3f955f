import { formatInstant } from "../../shop/store-time.ts";
import type { ListedStaff } from "../../staff/list-staff.ts";
import type { PersonRow } from "./schema.ts";

export function personView(person: ListedStaff): PersonRow {
  return {
    uid: person.uid,
    email: person.email,
    name: person.name,
    role: person.role,
    has_totp: person.hasTotp,
    has_made_password: person.hasMadePassword,
    created_at: formatInstant(person.createdAt),
    disabled_at: person.disabledAt === null ? null : formatInstant(person.disabledAt),
    seen_at: person.seenAt === null ? null : formatInstant(person.seenAt),
    sessions: person.sessions,
  };
}
