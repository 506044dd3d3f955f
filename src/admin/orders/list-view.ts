import { formatInstant } from "../../shop/store-time.ts";
import type { ListedMoney, ListedOrder } from "./list-queries.ts";
import { ORDER_STATES, type OrderRow, type OrderState } from "./schema.ts";

export function viewListedOrder(order: ListedOrder): OrderRow {
  const { storefrontId, name, email, isDeleted } = order;
  return {
    order_id: order.orderId,
    name: order.orderName,
    state: stateOf(order.state),
    processed_at: formatInstant(order.processedAt),
    customer: storefrontId === null ? null : { id: storefrontId, name, email, is_deleted: isDeleted },
    email: order.guestEmail,
    total: order.total === null ? null : viewStoredMoney(order.total),
    awardable_points: Number(order.awardablePoints),
    points_awarded: Number(order.awardedPoints),
    points_redeemed: Number(order.redeemedPoints),
  };
}

function viewStoredMoney({ minor, currency }: ListedMoney): { minor: number; currency: string } {
  return { minor: Number(minor), currency };
}

function stateOf(text: string): OrderState {
  const state = ORDER_STATES.find((known) => known === text);
  if (state === undefined) throw new Error(`an order is in the state ${text}, which nobody knows`);
  return state;
}
