import type { Queryable } from "../db/pool.ts";
import { can, ROLES } from "./permissions.ts";

/** So long somebody who could approve still counts after their account was disabled or given another role. */
const GONE_DAYS = 7;

const OTHERS = `select
  (select count(*)::integer
    from staff s
    where s.uid <> $1
      and s.role = any($2::text[])
      and s.disabled_at is null) as present,
  exists (
    select
    from staff s
    where s.uid <> $1
      and s.disabled_at > $3
      and s.role = any($2::text[]))
  or exists (
    select
    from audit_entry e
    where e.action = 'staff.changed'
      and e.at > $3
      and e.subject_id <> $1::text
      and e.before->>'role' = any($2::text[])) as "hasGone"`;

/** Who but a person may approve. */
export interface OtherApprovers {
  readonly present: number;
  /** Whether the person decides alone, for want of anybody else, for some days: disabling the others makes nobody alone at once. */
  readonly isAlone: boolean;
}

/** How many people but one may approve what waits, and whether there was no other within 7 days. */
export async function readOtherApprovers(
  queryable: Queryable,
  staffUid: string,
  now: Temporal.Instant,
): Promise<OtherApprovers> {
  const roles = ROLES.filter((role) => can(role, "adjustments.approve"));
  const since = now.subtract({ hours: 24 * GONE_DAYS });
  const [others] = await queryable.query<{ present: number; hasGone: boolean }>(OTHERS, [staffUid, roles, since]);
  if (others === undefined) throw new Error("a select without from answers one row");
  return { present: others.present, isAlone: others.present === 0 && !others.hasGone };
}
