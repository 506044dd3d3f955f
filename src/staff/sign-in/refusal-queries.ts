import { ADDRESSES_MAX, OTHER_ADDRESSES } from "../../credentials/auth-failures.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import type { Refusals } from "./refusals.ts";

const COLUMNS = `r.hour,
  r.subject,
  r.address,
  r.failures,
  r.recorded`;

// Attackers from many addresses share a row: its lock is short if COMMIT does not wait for the disk. A count that a crash loses does no harm.
const COUNT = `insert into sign_in_refusal as r (hour, subject, address, failures, recorded)
select $1::timestamptz,
  $2::text,
  case when n.own > 0 or n.addresses < $4 then $3::text else '${OTHER_ADDRESSES}' end,
  1,
  0
from (
  select count(*) as addresses,
    count(*) filter (where k.address = $3) as own,
    set_config('synchronous_commit', 'off', true)
  from sign_in_refusal k
  where k.hour = $1
    and k.subject = $2
    and k.address <> '${OTHER_ADDRESSES}') n
on conflict (hour, subject, address) do update
set failures = r.failures + 1
returning ${COLUMNS}`;

/** Counts a refused sign-in, with those of other addresses if the hour has enough addresses. Call it outside every transaction. */
export async function countRefusal(
  queryable: Queryable,
  { hour, subject, address }: Pick<Refusals, "hour" | "subject" | "address">,
): Promise<Refusals> {
  const [row] = await queryable.query<Refusals>(COUNT, [hour, subject, address, ADDRESSES_MAX]);
  if (row === undefined) throw new Error("an upsert answered no row");
  return row;
}

const claim = (which: string) => `with unrecorded as (
  select hour, subject, address, failures - recorded as failures
  from sign_in_refusal
  where recorded < failures
    and ${which}
  order by hour, subject, address
  for update)
update sign_in_refusal r
set recorded = r.failures
from unrecorded u
where r.hour = u.hour
  and r.subject = u.subject
  and r.address = u.address
returning u.hour, u.subject, u.address, u.failures`;

const CLAIM_ONE = claim("hour = $1 and subject = $2 and address = $3");
const CLAIM_RESTS = claim("hour < $1");

/** Marks the refusals of one address as recorded. Returns how many there were; 0: another request has recorded them. */
export async function claimRefusals(
  tx: Tx,
  { hour, subject, address }: Pick<Refusals, "hour" | "subject" | "address">,
): Promise<bigint> {
  const [row] = await tx.query<{ failures: bigint }>(CLAIM_ONE, [hour, subject, address]);
  return row?.failures ?? 0n;
}

/** Marks all refusals of hours before one as recorded. Returns those that were not, by address. */
export function claimRests(tx: Tx, hour: Temporal.Instant): Promise<Omit<Refusals, "recorded">[]> {
  return tx.query<Omit<Refusals, "recorded">>(CLAIM_RESTS, [hour]);
}

/** Deletes the refusals of hours before one, which are recorded. */
export async function deleteRecorded(tx: Tx, hour: Temporal.Instant): Promise<void> {
  await tx.execute("delete from sign_in_refusal where hour < $1 and recorded = failures", [hour]);
}
