import type { Queryable } from "../db/pool.ts";
import { type Moved, SUM_HOURS } from "./allowance.ts";

const SELECT_DAY = `select coalesce(sum(m.given), 0)::text as given,
  coalesce(sum(m.taken), 0)::text as taken
from staff_movement m
where m.staff_uid = $1
  and m.at > $2`;

/** What a person moved of all customers within the 24 hours before a moment without a second person, each way for itself. */
export async function readDayMoved(
  queryable: Queryable,
  { staffUid, now }: { readonly staffUid: string; readonly now: Temporal.Instant },
): Promise<Moved> {
  const since = now.subtract({ hours: SUM_HOURS });
  const [sums] = await queryable.query<{ given: string; taken: string }>(SELECT_DAY, [staffUid, since]);
  return { given: BigInt(sums?.given ?? 0), taken: BigInt(sums?.taken ?? 0) };
}
