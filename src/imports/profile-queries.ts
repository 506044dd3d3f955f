import type { CustomerBody } from "../customers/schema.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import { bucketsOf } from "./csv-import.ts";
import type { ProfileValues } from "./read/profile-values.ts";
import type { ShardPlace } from "./step-queries.ts";

/** A valid row of customers as the check stores it. */
export interface ValidProfile extends Pick<ProfileValues, "profile"> {
  readonly storefrontId: string;
  readonly n: number;
  readonly line: number;
  /** The customer's displayed id; for an unknown customer the row's id. */
  readonly shownId: string;
}

/** A valid row of customers to be processed. */
export interface WorkProfile {
  readonly bucket: number;
  readonly n: number;
  readonly line: number;
  readonly storefrontId: string;
  readonly profile: CustomerBody;
}

const INSERT = `insert into import_profile (import_uid, bucket, n, line, storefront_id, profile)
select $1, (hashtextextended(k.shown_id, 0) & 255)::smallint, k.n, k.line, k.storefront_id, k.profile::jsonb
from unnest($2::text[], $3::integer[], $4::integer[], $5::text[], $6::text[])
  as k (shown_id, n, line, storefront_id, profile)`;

const SELECT_NEXT = `select p.bucket,
  p.n,
  p.line,
  p.storefront_id as "storefrontId",
  p.profile
from import_profile p
where p.import_uid = $1
  and p.bucket <= $2
  and (p.bucket, p.n) > ($3, $4)
order by p.bucket, p.n
limit $5`;

const DROP_UP_TO = `delete from import_profile
where import_uid = $1
  and (bucket, n) > ($2, $3)
  and (bucket, n) <= ($4, $5)`;

/** Stores the rows that the check found valid. */
export async function insertProfiles(tx: Tx, uid: string, rows: readonly ValidProfile[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(INSERT, [
    uid,
    rows.map(({ shownId }) => shownId),
    rows.map(({ n }) => n),
    rows.map(({ line }) => line),
    rows.map(({ storefrontId }) => storefrontId),
    rows.map(({ profile }) => JSON.stringify(profile)),
  ]);
}

/** Returns a shard's next rows, at most `limit`, after the last finished one, in the order of its buckets. */
export function selectNextProfiles(
  queryable: Queryable,
  { uid, shard, from, limit }: { uid: string; shard: number; from: ShardPlace; limit: number },
): Promise<WorkProfile[]> {
  const { last } = bucketsOf(shard);
  return queryable.query<WorkProfile>(SELECT_NEXT, [uid, last, ...placeOf(shard, from), limit]);
}

/** Removes a shard's rows after `from`, up to the last finished one: they are no longer needed, and contain personal data. */
export async function dropProfiles(
  tx: Tx,
  { uid, shard, from, upTo }: { uid: string; shard: number; from: ShardPlace; upTo: WorkProfile },
): Promise<void> {
  await tx.execute(DROP_UP_TO, [uid, ...placeOf(shard, from), upTo.bucket, upTo.n]);
}

function placeOf(shard: number, { bucket, n }: ShardPlace): [bucket: number, n: number] {
  return [bucket ?? bucketsOf(shard).first, n ?? 0];
}
