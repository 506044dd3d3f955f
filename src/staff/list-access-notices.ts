import type { Deps } from "../deps.ts";
import type { AccessChange } from "./access-change.ts";

const NOTICE_DAYS = 90;
const NOTICES_MAX = 50;

/**
 * The changes of people's access that an owner has not dismissed, newest first: at most 50 of the last 90 days, and none from before the
 * owner's own account.
 */
export async function listAccessNotices(deps: Pick<Deps, "db" | "clock">, ownerUid: string): Promise<AccessChange[]> {
  return deps.db.query<AccessChange>(
    `select c.uid, c.at, c.kind, c.staff_uid as "staffUid", p.name, p.email, c.role, c.by_kind as "byKind",
       c.by_name as "byName"
     from access_change c
     join staff p on p.uid = c.staff_uid
     join staff reader on reader.uid = $1
     where c.at > $2 and c.at > reader.created_at
       and not exists (
         select from access_notice_read r where r.staff_uid = $1 and r.access_change_uid = c.uid)
     order by c.at desc, c.uid desc
     limit $3`,
    [ownerUid, deps.clock.now().subtract({ hours: 24 * NOTICE_DAYS }), NOTICES_MAX],
  );
}
