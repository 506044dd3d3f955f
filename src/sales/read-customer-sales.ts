import type { Queryable } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";

/** The totals of all orders of a customer. Money in minor units. */
export interface CustomerSales {
  readonly orders: bigint;
  readonly revenue: bigint;
  /** Null where there is no order yet. */
  readonly lastAt: Temporal.Instant | null;
}

const SALES = `select coalesce(sum(s.orders), 0)::bigint as orders,
  coalesce(sum(s.revenue), 0)::text as revenue,
  nullif(max(s.last_at), '-infinity') as "lastAt"
from unnest($1::smallint[], $2::uuid[]) as u (bucket, customer_uid)
join sale_buyer s on s.bucket = u.bucket and s.customer_uid = u.customer_uid`;

/** The sales of a customer and of those merged into it, of all time, as the worker last counted them. */
export async function readCustomerSales(
  queryable: Queryable,
  customers: readonly CustomerRef[],
): Promise<CustomerSales> {
  type Row = Omit<CustomerSales, "revenue"> & { readonly revenue: string };
  const uids = customers.map(({ customerUid }) => customerUid);
  const [row] = await queryable.query<Row>(SALES, [customers.map(({ bucket }) => bucket), uids]);
  if (row === undefined) throw new Error("a sum has one row");
  return { ...row, revenue: BigInt(row.revenue) };
}
