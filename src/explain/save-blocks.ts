import { findCustomer } from "../customers/find-customer.ts";
import type { Deps } from "../deps.ts";
import { STORED_KIND_OF } from "./account-kind-of.ts";
import { BLOCK_VERSIONS } from "./balance-queries.ts";

const READ_WHOLE = `select b.version / ${BLOCK_VERSIONS} as whole,
  coalesce((
    select max(k.block) + 1
    from account_block k
    where k.bucket = $1
      and k.customer_uid = b.customer_uid), 0) as kept
from balance b
where b.bucket = $1
  and b.customer_uid = $2`;

const INSERT_BLOCKS = `insert into account_block (bucket, customer_uid, block, type, kind, count, given, taken)
select a.bucket,
  a.customer_uid,
  (a.version - 1) / ${BLOCK_VERSIONS},
  a.type,
  ${STORED_KIND_OF},
  count(*),
  coalesce(sum(a.point_value) filter (where a.point_value > 0), 0),
  coalesce(sum(a.point_value) filter (where a.point_value < 0), 0)
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3::bigint * ${BLOCK_VERSIONS}
  and a.version <= $4::bigint * ${BLOCK_VERSIONS}
group by 1, 2, 3, 4, 5
on conflict do nothing`;

/**
 * Stores the sums of a customer's complete blocks of allotments that are not stored yet, so that explaining a long history costs no more than a short
 * one. Allotments never change, so a simultaneous call writes the same sums. If nothing can be written, or a replica does not have them yet, the
 * explanation is the same but slower. Throws like `findCustomer`.
 */
export async function saveBlocks(deps: Pick<Deps, "db" | "log">, named: string): Promise<void> {
  const { bucket, customerUid } = await findCustomer(deps.db, named);
  const [found] = await deps.db.query<{ whole: bigint; kept: bigint }>(READ_WHOLE, [bucket, customerUid]);
  if (found === undefined || found.kept >= found.whole) return;
  await deps.db
    .execute(INSERT_BLOCKS, [bucket, customerUid, found.kept, found.whole])
    .catch((error: unknown) => deps.log.warn({ error }, "the sums of a long history could not be saved"));
}
