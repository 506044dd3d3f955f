import type { Deps } from "../deps.ts";
import { HAS_FACTOR, STAFF_COLUMNS } from "./queries.ts";
import { IDLE_HOURS, SESSION_DAYS } from "./sessions/session.ts";
import type { Staff } from "./staff.ts";

export interface ListedStaff extends Staff {
  /** Whether the password is not enough to sign in. */
  readonly hasFactor: boolean;
  readonly createdAt: Temporal.Instant;
  readonly disabledAt: Temporal.Instant | null;
  /** The last use of their newest session, to the minute; null where they are not signed in. */
  readonly seenAt: Temporal.Instant | null;
  readonly sessions: number;
  /** When their link expires; null where there is no valid one. */
  readonly linkExpiresAt: Temporal.Instant | null;
  /** The settings that have their e-mail address: it gets the store's mails even if the person is disabled. */
  readonly mailedBy: readonly ("alerts" | "reports")[];
}

const MAILED_BY = `array_remove(array[
       case when exists (
         select from alert_setting a, unnest(a.addresses) as l (address) where lower(l.address) = lower(p.email)) then 'alerts' end,
       case when exists (
         select from report_setting r, unnest(r.addresses) as l (address) where lower(l.address) = lower(p.email)) then 'reports' end],
       null)`;

/** Everybody who can sign in or could, disabled people last. A store has dozens, not thousands. */
export async function listStaff(deps: Pick<Deps, "db" | "clock">): Promise<ListedStaff[]> {
  const now = deps.clock.now();
  return deps.db.query<ListedStaff>(
    `select ${STAFF_COLUMNS}, ${HAS_FACTOR} as "hasFactor", p.created_at as "createdAt", p.disabled_at as "disabledAt",
       s.seen_at as "seenAt", coalesce(s.sessions, 0)::integer as sessions, l.expires_at as "linkExpiresAt",
       ${MAILED_BY} as "mailedBy"
     from staff p
     left join (
       select staff_uid, max(seen_at) as seen_at, count(*) as sessions
       from staff_session
       where seen_at > $1 and created_at > $2
       group by staff_uid) s on s.staff_uid = p.uid
     left join staff_link l on l.staff_uid = p.uid and l.expires_at > $3
     order by p.disabled_at is not null, p.name, p.uid`,
    [now.subtract({ hours: IDLE_HOURS }), now.subtract({ hours: SESSION_DAYS * 24 }), now],
  );
}
