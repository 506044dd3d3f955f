import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { HOLDS } from "./access-change.ts";

/** The uids of two people. */
export interface TwoPeople {
  readonly requestedBy: string;
  readonly decidedBy: string;
}

/**
 * Checks, in the transaction of an approval, that requester and approver are independent people. Throws 403 `same_person` where they are the
 * same, or where one person (one of the two or a third) created, reset, raised or enabled the accounts of both, or removed their second
 * factor, within POINTKEEPER_SECOND_PERSON_DAYS, directly or through others: that person may control both accounts.
 */
export async function checkSecondPerson(
  tx: Tx,
  deps: Pick<Deps, "clock" | "config">,
  { requestedBy, decidedBy }: TwoPeople,
): Promise<void> {
  const days = deps.config.secondPersonDays;
  const [found] = await tx.query<{ isSame: boolean }>(
    `with recursive hold as (
       select $1::uuid as of_uid, $1::uuid as held_by
       union
       select $2::uuid, $2::uuid
       union
       select h.of_uid, c.by_uid
       from hold h
       join access_change c on c.staff_uid = h.held_by and c.at > $3 and c.kind = any($4::text[]) and c.by_uid is not null)
     select exists (
       select
       from hold a
       join hold b on b.held_by = a.held_by
       where a.of_uid = $1 and b.of_uid = $2) as "isSame"`,
    [requestedBy, decidedBy, deps.clock.now().subtract({ hours: 24 * days }), HOLDS],
  );
  if (found?.isSame !== true) return;
  const detail =
    `expected somebody whose access was not made, reset or changed in the last ${days} days ` +
    "by whoever asked, or by the same person";
  throw new Problem("same_person", { faults: [{ detail }] });
}
