import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";

const ERASE = `delete from allotment_note n
using unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
where n.bucket = k.bucket
  and n.customer_uid = k.customer_uid`;

/** Erases what people wrote beside customers' allotments, and who they were; the allotments themselves say nothing of a person, their import who of the staff started it. */
export async function eraseNotes(tx: Tx, refs: readonly CustomerRef[]): Promise<void> {
  await tx.execute(ERASE, [refs.map(({ bucket }) => bucket), refs.map(({ customerUid }) => customerUid)]);
}
