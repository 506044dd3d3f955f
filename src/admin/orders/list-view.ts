import { formatInstant } from "../../time/store-time.ts";
import type { ListedMoney, ListedOrder } from "./list-queries.ts";
import { ORDER_STATES, type OrderRow, type OrderState, SALE_FILTERS, type SaleFilter } from "./schema.ts";

/** `isStandIn`: no person has applied a program yet. */
export function viewListedOrder(order: ListedOrder, isStandIn: boolean): OrderRow {
  const { storefrontId, name, email, isDeleted } = order;
  return {
    order_id: order.orderId,
    name: order.orderName,
    state: shownState(stateOf(order.state), isStandIn),
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

/** An order in another currency than the stand-in's is shown as waiting for a program. */
function shownState(state: OrderState, isStandIn: boolean): OrderState {
  return state === "other_currency" && isStandIn ? "no_program" : state;
}

/** Returns the filter if it selects orders that count as sales, not a state. */
export function saleFilterOf(filter: OrderState | SaleFilter | undefined): SaleFilter | null {
  return SALE_FILTERS.find((known) => known === filter) ?? null;
}

/** Returns how a displayed state is stored; '': no order is in it; null: the filter is not a state. */
export function storedState(filter: OrderState | SaleFilter | undefined, isStandIn: boolean): string | null {
  const shown = ORDER_STATES.find((known) => known === filter);
  if (shown === undefined) return null;
  if (shown === "no_program") return isStandIn ? "other_currency" : "";
  return shown === "other_currency" && isStandIn ? "" : shown;
}

function stateOf(text: string): OrderState {
  const state = ORDER_STATES.find((known) => known === text);
  if (state === undefined) throw new Error(`an order is in the state ${text}, which nobody knows`);
  return state;
}
