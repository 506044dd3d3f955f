import type { Queryable } from "../db/pool.ts";
import type { LotSource } from "./balance-queries.ts";

/** The names of an order and of one of its lines. */
export interface OrderNames {
  readonly orderId: string;
  /** `#1588`; null: the platform sent none. */
  readonly orderName: string | null;
  /** Null: no line, or the platform sent none. */
  readonly lineTitle: string | null;
}

const SELECT_NAMES = `select w.uid,
  o.order_id as "orderId",
  o.order_name as "orderName",
  nullif((
    select l ->> 'title'
    from jsonb_array_elements(o.facts -> 'stated' -> 'lines') l
    where l ->> 'lineId' = w.line_id
    limit 1), '') as "lineTitle"
from unnest($1::uuid[], $2::text[], $3::text[]) w (uid, order_id, line_id)
join store_order o on o.order_id = w.order_id`;

type Named = Pick<LotSource, "uid" | "object" | "parent">;

/** Returns the names of the orders and lines of some allotments, by the allotment's uid. Allotments without an order are missing. */
export async function readOrderNames(
  queryable: Queryable,
  allotments: readonly Named[],
): Promise<ReadonlyMap<string, OrderNames>> {
  const ofOrders = allotments.flatMap(({ uid, parent, object }) => {
    const orderId = idBehind("order-", parent);
    return orderId === null ? [] : [{ uid, orderId, lineId: idBehind("line_item-", object) }];
  });
  if (ofOrders.length === 0) return new Map();
  const rows = await queryable.query<OrderNames & { uid: string }>(SELECT_NAMES, [
    ofOrders.map(({ uid }) => uid),
    ofOrders.map(({ orderId }) => orderId),
    ofOrders.map(({ lineId }) => lineId),
  ]);
  return new Map(rows.map(({ uid, ...names }) => [uid, names]));
}

/** Returns `7` for `order-7`; null: another object. */
function idBehind(prefix: string, object: string | null): string | null {
  return object?.startsWith(prefix) === true ? object.slice(prefix.length) : null;
}
