import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { HOLDS } from "./access-change.ts";

/** Uids of people. */
export interface TwoPeople {
  readonly requestedBy: string;
  readonly decidedBy: string;
}

/**
 * Whether two people are two, for an approval, read in the transaction that decides: 403 `same_person` where one of them is the
 * other, or where somebody - one of the two or a third - made, reset, raised, enabled or took the second factor of both within
 * POINTKEEPER_SECOND_PERSON_DAYS, through others too: one person may control both accounts.
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
