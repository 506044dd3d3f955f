import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import type { ProgramTransition } from "../../program/apply-program.ts";
import { can } from "../../staff/permissions.ts";
import { readOtherApprovers } from "../../staff/read-other-approvers.ts";
import type { Role } from "../../wire/access.ts";
import { raisesOf } from "./raises.ts";

/** The person who requests a change of the program. */
export interface Changer {
  readonly uid: string;
  readonly name: string;
  readonly role: Role;
}

/** Why a change of the program needs a second person. */
export interface NeededApproval {
  /** Pointers of the fields that pay more. */
  readonly raises: readonly string[];
  /** The number of other people who could approve it now. */
  readonly otherApprovers: number;
}

const LIMITS = [
  ["/staff/approval_limit", "approvalLimit"],
  ["/staff/daily_limit", "dailyLimit"],
] as const;

/**
 * Returns why a change needs a second person; null: it does not. It does if the store limits what one person moves, and the change pays more or
 * loosens a limit, unless nobody else may approve or could within 7 days. Throws `forbidden` if it changes a limit and the person is not an owner.
 */
export async function decideApprovalNeed(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config">,
  { before, after, validFrom, isForPast }: ProgramTransition,
  { uid, role }: Changer,
): Promise<NeededApproval | null> {
  for (const [pointer, limit] of LIMITS) {
    if (before.staff[limit] === after.staff[limit] || can(role, "limit.change")) continue;
    throw new Problem("forbidden", {
      faults: [{ pointer, detail: "expected the present limit: only an owner changes it" }],
    });
  }
  if (before.staff.approvalLimit === null && before.staff.dailyLimit === null) return null;
  const now = deps.clock.now();
  const raises = [
    ...raisesOf({ before, after, from: validFrom ?? now }),
    ...(isForPast ? ["/valid_from"] : []), // a change for past orders may pay more than the versions of that time
  ];
  if (raises.length === 0) return null;
  const others = await readOtherApprovers(tx, deps, uid);
  return others.isAlone ? null : { raises, otherApprovers: others.present };
}
