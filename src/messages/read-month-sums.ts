import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { MonthSums } from "./message-values.ts";

/** A sum that exceeds a bigint is the largest one: one customer's allotments must not stop the mails to everybody else. */
const pointSum = (sign: "" | "-", condition: string): string =>
  `least(coalesce(${sign}sum(a.point_value) filter (where ${condition}), 0), 9223372036854775807)::bigint`;

const SUMS = `select w.customer_uid as "customerUid",
  ${pointSum("", "a.point_value > 0")} as earned,
  ${pointSum("-", "a.point_value < 0 and a.type <> 'expiration'")} as used,
  ${pointSum("-", "a.type = 'expiration'")} as expired
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join allotment a on a.bucket = w.bucket
  and a.customer_uid = w.customer_uid
  and a.allotted_at >= $3
  and a.allotted_at < $4
group by w.customer_uid`;

/** The sums of customers' points in a period, by uid; customers without a change are absent. */
export async function readMonthSums(
  queryable: Queryable,
  refs: readonly CustomerRef[],
  { start, end }: { readonly start: Temporal.Instant; readonly end: Temporal.Instant },
): Promise<Map<string, MonthSums>> {
  if (refs.length === 0) return new Map();
  const rows = await queryable.query<MonthSums & { customerUid: string }>(SUMS, [...refKeys(refs), start, end]);
  return new Map(rows.map(({ customerUid, ...sums }) => [customerUid, sums]));
}
