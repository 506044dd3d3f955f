import { addFault, at, type JsonReader, readInstant, readListOrNone, readQuantity } from "../json-reader.ts";
import type { FulfillmentFact, FulfillmentStatus } from "../neutral-events.ts";
import {
  instantIfGiven,
  knownWord,
  readEntityId,
  readShopifyId,
  refuseFields,
  type TopicTranslation,
} from "./fields.ts";

const STATUSES: readonly FulfillmentStatus[] = ["success", "pending", "cancelled", "error", "failure"];

/** fulfillments/create and fulfillments/update: one form; the status says whether it shipped or was cancelled. */
export const translateFulfillment: TopicTranslation = (body) => {
  refuseFields(body, "fulfillments/*", ["refund_line_items", "financial_status", "shop_domain"]);
  if (at(body, "line_items").value === undefined) addFault(at(body, "line_items"), "the lines that shipped");
  const orderId = readShopifyId(at(body, "order_id"));
  const fulfillment = readFulfillment(body);
  return [
    {
      type: "OrderFulfilled",
      subject: `order/${orderId}`,
      factKey: `fulfillment/${fulfillment.fulfillmentId}:${fulfillment.status}`,
      occurredAt: fulfillment.updatedAt,
      entityVersion: fulfillment.updatedAt,
      payload: { orderId, fulfillment },
    },
  ];
};

/** An unknown status counts as pending: nothing is awarded until it is success. */
export function readFulfillment(fulfillment: JsonReader): FulfillmentFact {
  const createdAt = readInstant(at(fulfillment, "created_at"));
  return {
    fulfillmentId: readEntityId(fulfillment, "Fulfillment"),
    status: knownWord(at(fulfillment, "status"), STATUSES) ?? "pending",
    createdAt,
    updatedAt: instantIfGiven(at(fulfillment, "updated_at")) ?? createdAt,
    lines: readListOrNone(at(fulfillment, "line_items"), (line) => ({
      lineId: readEntityId(line, "LineItem"),
      quantity: readQuantity(at(line, "quantity")),
    })),
  };
}
