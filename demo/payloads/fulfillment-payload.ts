import { buildLine, lineOf } from "./line-payload.ts";
import type { FulfillmentSpec, OrderSpec } from "./order-spec.ts";
import type { Body } from "./platform-json.ts";

/** The body of fulfillments/create and fulfillments/update, also used inside an order. Its lines contain what shipped. */
export function buildFulfillment(order: OrderSpec, fulfillment: FulfillmentSpec): Body {
  return {
    id: BigInt(fulfillment.id),
    admin_graphql_api_id: `gid://shopify/Fulfillment/${fulfillment.id}`,
    created_at: fulfillment.createdAt,
    location_id: null,
    name: `#${order.number}.1`,
    order_id: BigInt(order.id),
    origin_address: {},
    receipt: {},
    service: "manual",
    shipment_status: null,
    status: fulfillment.status,
    tracking_company: null,
    tracking_number: null,
    tracking_numbers: [],
    tracking_url: null,
    tracking_urls: [],
    updated_at: fulfillment.updatedAt,
    line_items: fulfillment.lines.map(({ lineId, quantity }) => ({
      ...buildLine(order, lineOf(order, lineId), quantity, quantity),
      quantity,
    })),
  };
}
