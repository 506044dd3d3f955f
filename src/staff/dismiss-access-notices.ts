import type { Deps } from "../deps.ts";

/**
 * Takes changes of access off the list of one owner; the other owners see them until they do the same. Unknown ones are skipped.
 */
export async function dismissAccessNotices(
  deps: Pick<Deps, "db">,
  ownerUid: string,
  uids: readonly string[],
): Promise<void> {
  await deps.db.execute(
    `insert into access_notice_read (staff_uid, access_change_uid)
     select $1, uid
     from access_change
     where uid = any($2::uuid[])
     on conflict do nothing`,
    [ownerUid, uids],
  );
}
