import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { invalid, Problem } from "../problems.ts";
import { ROLES, type Role } from "../wire/access.ts";
import { type AccessChangeKind, roleChange } from "./access-change.ts";
import { recordAccessChange } from "./access-queries.ts";
import { countOtherOwners, LOCK_OWNERS, type StaffRow, selectStaff } from "./queries.ts";
import { normalName } from "./staff.ts";

export interface StaffChange {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly isDisabled?: boolean | undefined;
}

/**
 * Changes a person's name or role, disables or enables them. It applies from their next request on; disabling ends their sessions. 404 for an
 * unknown uid; 409 where no enabled owner would be left, also with concurrent requests.
 */
export async function changeStaff(
  deps: Pick<Deps, "db" | "clock" | "random">,
  uid: string,
  change: StaffChange,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_OWNERS);
    const staff = await selectStaff(tx, uid);
    if (staff === undefined) throw new Problem("not_found");
    await keepAnOwner(tx, staff, change);
    const name = change.name === undefined ? staff.name : normalName(change.name);
    if (name === null) throw invalid("/name", "expected 1 to 100 characters");
    await tx.execute(
      `update staff
       set name = $2, role = $3, disabled_at = $4
       where uid = $1`,
      [uid, name, change.role ?? staff.role, disabledAt(staff, change, deps.clock.now())],
    );
    if (change.isDisabled === true) {
      await tx.execute("delete from staff_session where staff_uid = $1", [uid]);
      await tx.execute("delete from staff_link where staff_uid = $1", [uid]);
      await tx.execute("delete from staff_device where staff_uid = $1", [uid]);
    }
    for (const kind of kindsOf(staff, change))
      await recordAccessChange(tx, deps, { kind, staffUid: uid, role: change.role ?? staff.role });
  });
}

function kindsOf(staff: StaffRow, { role, isDisabled }: StaffChange): AccessChangeKind[] {
  const wasDisabled = staff.disabledAt !== null;
  const byRole = roleChange(ROLES, staff.role, role ?? staff.role);
  const kinds: AccessChangeKind[] = byRole === null ? [] : [byRole];
  if (isDisabled !== undefined && isDisabled !== wasDisabled) kinds.push(isDisabled ? "disabled" : "enabled");
  return kinds;
}

async function keepAnOwner(tx: Tx, staff: StaffRow, { role, isDisabled }: StaffChange): Promise<void> {
  const isActiveOwner = staff.role === "owner" && staff.disabledAt === null;
  const staysOne = (role ?? staff.role) === "owner" && isDisabled !== true;
  if (isActiveOwner && !staysOne && (await countOtherOwners(tx, staff.uid)) === 0) throw new Problem("last_owner");
}

function disabledAt(staff: StaffRow, { isDisabled }: StaffChange, now: Temporal.Instant): Temporal.Instant | null {
  if (isDisabled === undefined) return staff.disabledAt;
  return isDisabled ? (staff.disabledAt ?? now) : null;
}
