import type { Tx } from "../db/pool.ts";
import { captureKey } from "./hold.ts";
import type { CustomerChange } from "./posting.ts";

const END_HOLDS = `update reservation r
set state = case when u.captured > 0 then 'captured' else 'released' end,
  captured_points = u.captured,
  captured_version = u.version,
  ended_at = u.ended_at
from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[])
  as u (bucket, customer_uid, uid, captured, version, ended_at)
where r.bucket = u.bucket
  and r.customer_uid = u.customer_uid
  and r.uid = u.uid
  and r.state = 'held'`;

const SET_HELD = `update balance b
set held_points = u.held_points,
  held_until = coalesce((
    select min(r.expires_at)
    from reservation r
    where r.bucket = b.bucket
      and r.customer_uid = b.customer_uid
      and r.state = 'held'), 'infinity')
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as u (bucket, customer_uid, held_points)
where b.bucket = u.bucket
  and b.customer_uid = u.customer_uid`;

/** Writes the holds that ended, and what their balances still hold. To be sent before the points: they never fall below what is held. */
export async function writeHoldEnds(tx: Tx, changes: readonly CustomerChange[]): Promise<void> {
  const changed = changes.filter(({ holdEnds }) => holdEnds.length > 0);
  if (changed.length === 0) return;
  const ends = changed.flatMap(({ after, allotments, holdEnds }) =>
    holdEnds.map((end) => ({
      ...end,
      owner: after,
      version: allotments.find(({ posting }) => posting.sourceKey === captureKey(end.uid))?.version ?? null,
    })),
  );
  const ended = await tx.execute(END_HOLDS, [
    ends.map(({ owner }) => owner.bucket),
    ends.map(({ owner }) => owner.customerUid),
    ends.map(({ uid }) => uid),
    ends.map(({ captured }) => captured),
    ends.map(({ version }) => version),
    ends.map(({ at }) => at),
  ]);
  if (ended !== ends.length) throw new Error(`${ended} holds ended, not ${ends.length}`);
  await tx.execute(SET_HELD, [
    changed.map(({ after }) => after.bucket),
    changed.map(({ after }) => after.customerUid),
    changed.map(({ after }) => after.heldPoints),
  ]);
}
