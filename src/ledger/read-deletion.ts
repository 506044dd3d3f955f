import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const READ_DELETION = `select a.version
from allotment a
where a.source_key = $1
  and a.source_key not like 'api/%'`;

/** The version of the allotment that wrote a deleted customer's balance off; null: there is none. */
export async function readDeletion(queryable: Queryable, { customerUid }: CustomerRef): Promise<bigint | null> {
  const [row] = await queryable.query<{ version: bigint }>(READ_DELETION, [`deletion/${customerUid}`]);
  return row?.version ?? null;
}
