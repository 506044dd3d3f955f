import type { Tx } from "../db/pool.ts";
import { Problem } from "../problems.ts";
import type { Role } from "../wire/access.ts";
import { can, type Permission } from "./permissions.ts";

/**
 * Checks that somebody may still do what is to be done in their name, and keeps it so until the transaction ends: 409 `requester_gone` where
 * they were disabled, or their role lacks the permission by now.
 */
export async function checkStillMay(tx: Tx, uid: string, permission: Permission): Promise<void> {
  const [staff] = await tx.query<{ role: Role; isDisabled: boolean }>(
    `select role, disabled_at is not null as "isDisabled"
     from staff
     where uid = $1
     for share`,
    [uid],
  );
  if (staff !== undefined && !staff.isDisabled && can(staff.role, permission)) return;
  const why = staff === undefined || staff.isDisabled ? "the account is disabled" : `the role lacks ${permission}`;
  const detail = `${why}: refuse the request; whoever still wants it asks for it`;
  throw new Problem("requester_gone", { faults: [{ detail }] });
}
