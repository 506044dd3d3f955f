import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { type MovedIn, NOT_MOVED_IN } from "./plan/order-rules.ts";

/** A customer's order: when it was placed, and when it became known here. */
export interface PlacedOrder {
  readonly customer: CustomerRef;
  readonly instant: Temporal.Instant;
  readonly receivedAt: Temporal.Instant;
}

interface Coverage {
  readonly customerUid: string;
  readonly isSpend: boolean;
  /** When the file was imported: an order that was known before counts by itself. */
  readonly startedAt: Temporal.Instant;
  /** The file covers orders placed before this time. */
  readonly until: Temporal.Instant;
}

// A file of orders covers orders up to its last date, at least a day; any other file covers orders before its export, or its import.
const SELECT = `select m.customer_uid as "customerUid",
  false as "isSpend",
  i.started_at as "startedAt",
  coalesce((i.options ->> 'asOf')::timestamptz, i.started_at) as until
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join moved_points m on m.bucket = k.bucket and m.customer_uid = k.customer_uid
join import i on i.uid = m.import_uid
where i.state in ('importing', 'imported')
union all
select b.customer_uid,
  true,
  i.started_at,
  case
    when (i.options ->> 'addsOnly')::boolean then coalesce((i.options ->> 'asOf')::timestamptz, i.started_at)
    else least(max(b.as_of) + interval '1 day', i.started_at)
  end
from unnest($1::smallint[], $2::uuid[]) as k (bucket, customer_uid)
join customer_spend_base b on b.bucket = k.bucket and b.customer_uid = k.customer_uid
join import i on i.uid = b.import_uid
where i.state in ('importing', 'imported')
group by b.customer_uid, i.uid`;

/**
 * Returns for each customer's order, in their sequence, whether a file of another app that was imported before the order was known here
 * contains the points or the spend of that time. So an order that a platform's history brings later, or that is refunded later, counts
 * once.
 */
export async function readMovedIn(queryable: Queryable, orders: readonly PlacedOrder[]): Promise<readonly MovedIn[]> {
  if (orders.length === 0) return [];
  const customers = new Map(orders.map(({ customer }) => [customer.customerUid, customer]));
  const rows = await queryable.query<Coverage>(SELECT, refKeys([...customers.values()]));
  if (rows.length === 0) return orders.map(() => NOT_MOVED_IN);
  const byCustomer = Map.groupBy(rows, ({ customerUid }) => customerUid);
  return orders.map(({ customer, instant, receivedAt }) => {
    const covering = (byCustomer.get(customer.customerUid) ?? []).filter(
      ({ startedAt, until }) =>
        Temporal.Instant.compare(startedAt, receivedAt) <= 0 && Temporal.Instant.compare(instant, until) < 0,
    );
    return {
      points: covering.some(({ isSpend }) => !isSpend),
      spend: covering.some(({ isSpend }) => isSpend),
    };
  });
}
