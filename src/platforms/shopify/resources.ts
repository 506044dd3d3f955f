import { isList, isObject, type Json, memberOf } from "../json-source.ts";

/**
 * What a plain resource of the Admin REST API is, by its shape: an order has lines and a state of payment, a customer a state of the
 * account. The topic says "updated": its body states all that there is, whatever happened.
 */
export function topicOf(resource: Json): string | null {
  if (!isObject(resource) || memberOf(resource, "id") === undefined) return null;
  const isOrder = isList(memberOf(resource, "line_items")) && memberOf(resource, "financial_status") !== undefined;
  if (isOrder) return "orders/updated";
  const isCustomer = typeof memberOf(resource, "state") === "string" && memberOf(resource, "line_items") === undefined;
  return isCustomer ? "customers/update" : null;
}

/** The header by which a delivery names its topic. */
export function headersFor(topic: string): Readonly<Record<string, string>> {
  return { "x-shopify-topic": topic };
}
