import type { Tx } from "../db/pool.ts";

const ERASE = `delete from mail m
using unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
where m.bucket = u.bucket
  and m.customer_uid = u.customer_uid`;

/** Deletes the mails of customers, including those that are waiting. */
export async function eraseMails(
  tx: Tx,
  customers: readonly { readonly bucket: number; readonly customerUid: string }[],
): Promise<void> {
  await tx.execute(ERASE, [customers.map((c) => c.bucket), customers.map((c) => c.customerUid)]);
}
