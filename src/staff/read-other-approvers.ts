import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { ROLES } from "../wire/access.ts";
import { HOLDS } from "./access-change.ts";
import { can } from "./permissions.ts";
import { CAN_SIGN_IN, needsNoPassword } from "./queries.ts";

/** A possible approver still counts for this number of days after their account was disabled or given another role. */
const GONE_DAYS = 7;

// `hold`: the people who may control a person's account, as in `checkSecondPerson`. `could`: they could approve before their access was
// changed, so that whoever changed it does not become the only approver by that. A new link for a person who never chose a password changes
// nothing.
const OTHERS = `with recursive hold as (
  select s.uid as of_uid, s.uid as held_by
  from staff s
  where s.uid = $1 or s.role = any($2::text[]) and s.disabled_at is null
  union
  select h.of_uid, c.by_uid
  from hold h
  join access_change c on c.staff_uid = h.held_by and c.at > $5 and c.kind = any($6::text[]) and c.by_uid is not null),
other as (
  select s.password_hash is not null and (s.password_until is null or s.password_until > $3)
      or ${needsNoPassword()} as opens,
    exists (
      select
      from hold a
      join hold b on b.held_by = a.held_by
      where a.of_uid = $1 and b.of_uid = s.uid) as is_tied,
    exists (select from hold h where h.of_uid = s.uid and h.held_by = $1) as is_made,
    exists (
      select
      from access_change c
      where c.staff_uid = s.uid
        and c.at > least($4, $5)
        and (c.kind in ('totp_removed', 'disabled') or c.kind = 'reset' and c.by_kind = 'command'))
    or exists (
      select
      from audit_entry e
      where e.subject_kind = 'staff'
        and e.subject_id = s.uid::text
        and e.action = 'staff.changed'
        and e.at > least($4, $5)
        and (e.before->>'role' = any($2::text[]) or e.after->'removed' ? 'password_hash')) as could
  from staff s
  where s.uid <> $1
    and s.role = any($2::text[])
    and s.disabled_at is null)
select (select count(*)::integer from other where opens and not is_tied) as present,
  exists (select from other where opens and not is_made or could)
  or exists (
    select
    from staff s
    where s.uid <> $1
      and s.disabled_at > $4
      and s.role = any($2::text[])
      and (${CAN_SIGN_IN} or exists (
        select
        from audit_entry e
        where e.subject_kind = 'staff'
          and e.subject_id = s.uid::text
          and e.action = 'staff.changed'
          and e.at > $4
          and e.after->'removed' ? 'password_hash')))
  or exists (
    select
    from audit_entry e
    where e.action = 'staff.changed'
      and e.at > $4
      and e.subject_id <> $1::text
      and e.before->>'role' = any($2::text[])) as "hasAnother"`;

/** The people other than the requester who may approve. */
export interface OtherApprovers {
  /** The number of people who could approve the person's request now: they can sign in, and are independent of the person. */
  readonly present: number;
  /**
   * Whether the person decides alone because there is nobody else. An account that the person created, directly or through others, does not
   * count until the two count as two people. Disabling, resetting or demoting the others does not make a person the only one at once, and
   * the person who created the account always counts as another.
   */
  readonly isAlone: boolean;
}

/** How many people other than one could now approve that person's request, and whether there was no other within 7 days. */
export async function readOtherApprovers(
  queryable: Queryable,
  { clock, config }: Pick<Deps, "clock" | "config">,
  staffUid: string,
): Promise<OtherApprovers> {
  const roles = ROLES.filter((role) => can(role, "adjustments.approve"));
  const now = clock.now();
  const goneSince = now.subtract({ hours: 24 * GONE_DAYS });
  const tiedSince = now.subtract({ hours: 24 * config.secondPersonDays });
  const [others] = await queryable.query<{ present: number; hasAnother: boolean }>(OTHERS, [
    ...[staffUid, roles, now],
    ...[goneSince, tiedSince, HOLDS],
  ]);
  if (others === undefined) throw new Error("a select without from answers one row");
  return { present: others.present, isAlone: !others.hasAnother };
}
