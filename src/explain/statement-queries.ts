import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { ACCOUNT_KIND_OF } from "./account-kind-of.ts";
import type { VersionRange } from "./balance-queries.ts";
import type { PeriodRow } from "./statement.ts";

/** Only the newest allotments of a period, this many, are listed; the others are summed. */
const ROWS_MAX = 1_000;

const SELECT_ROWS = `select a.version,
  a.uid,
  a.allotted_at as "allottedAt",
  ${ACCOUNT_KIND_OF} as kind,
  a.point_value as "pointValue",
  a.balance_after as "balanceAfter",
  a.object,
  a.parent
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3
  and a.version <= $4
order by a.version desc
limit ${ROWS_MAX}`;

/** Returns the newest allotments after one version, up to another, oldest first. */
export async function selectStatementRows(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { after, upTo }: VersionRange,
): Promise<readonly PeriodRow[]> {
  const rows = await queryable.query<PeriodRow>(SELECT_ROWS, [bucket, customerUid, after, upTo]);
  return rows.reverse();
}
