import { currentActor } from "../actor.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { Role } from "../wire/access.ts";
import type { AccessChange, AccessChangeKind } from "./access-change.ts";

type ChangeDeps = Pick<Deps, "clock" | "random">;

const NOTICE_DAYS = 90;
const NOTICES_MAX = 50;

/**
 * Records that the acting person changed a person's access, in the transaction of the change. Every owner is notified, and
 * `checkSecondPerson` uses the record. `role`: the person's role after the change. Nothing is recorded where no person acts, because the
 * service itself never changes access.
 */
export async function recordAccessChange(
  tx: Tx,
  deps: ChangeDeps,
  change: { readonly kind: AccessChangeKind; readonly staffUid: string; readonly role: Role },
): Promise<void> {
  const { kind, id, name } = currentActor();
  if (kind !== "staff" && kind !== "command") return;
  await tx.execute(
    `insert into access_change (uid, at, kind, staff_uid, role, by_kind, by_uid, by_name)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [deps.random.uid(), deps.clock.now(), change.kind, change.staffUid, change.role, kind, id, name],
  );
}

/** Records that the identity provider changed a person's access: it created the account, or gave it another role or none. Owners are notified. */
export async function recordProviderChange(
  tx: Tx,
  deps: ChangeDeps,
  change: {
    readonly kind: AccessChangeKind;
    readonly staffUid: string;
    readonly role: Role;
    readonly provider: string;
  },
): Promise<void> {
  await tx.execute(
    `insert into access_change (uid, at, kind, staff_uid, role, by_kind, by_name)
     values ($1, $2, $3, $4, $5, 'provider', $6)`,
    [deps.random.uid(), deps.clock.now(), change.kind, change.staffUid, change.role, change.provider],
  );
}

/**
 * The changes of access that an owner has not dismissed, newest first: at most 50 of the last 90 days, and none from before the owner's
 * account was created.
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

/** Dismisses changes of access for one owner; the other owners still see them. Unknown uids are ignored. */
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
