import { currentActor } from "../actor.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { Role } from "../wire/access.ts";
import type { AccessChangeKind } from "./access-change.ts";

/**
 * Records that the person who acts changed a person's access, in the transaction of the change: every owner is notified, and
 * `checkSecondPerson` reads it. `role` is the person's from then on. Nothing is recorded without an actor: the service itself
 * changes no access.
 */
export async function recordAccessChange(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
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
