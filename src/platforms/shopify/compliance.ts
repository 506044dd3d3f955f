import { addFault, at, ifGiven, onlyKnown, readList } from "../json-reader.ts";
import { readEmail, readShopifyId, refuseFields, type TopicTranslation } from "./fields.ts";

/** customers/redact: after a deletion, the customer and the named orders must be made anonymous. */
export const translateCustomerRedaction: TopicTranslation = (body) => {
  refuseFields(body, "customers/redact", ["data_request", "orders_requested"]);
  const customer = at(body, "customer");
  const customerId = readShopifyId(at(customer, "id"));
  const email = ifGiven(at(customer, "email"), readEmail);
  const ordersToRedact = readList(at(body, "orders_to_redact"), readShopifyId);
  readShopifyId(at(body, "shop_id"));
  return [
    {
      type: "CustomerDeleted",
      subject: `customer/${customerId}`,
      factKey: `customer-redacted/${customerId}`,
      payload: { customerId, reason: "redacted", ordersToRedact, ...onlyKnown({ email }) },
    },
  ];
};

/** customers/data_request: the stored data of the customer has to be handed out. */
export const translateDataRequest: TopicTranslation = (body) => {
  refuseFields(body, "customers/data_request", ["orders_to_redact"]);
  const customerId = readShopifyId(at(at(body, "customer"), "id"));
  const requestId = readShopifyId(at(at(body, "data_request"), "id"));
  const orders = readList(at(body, "orders_requested"), readShopifyId);
  return [
    {
      type: "CustomerDataRequested",
      subject: `customer/${customerId}`,
      factKey: `data-request/${requestId}`,
      payload: { requestId, customerId, orders },
    },
  ];
};

/** shop/redact: 48 hours after the app was removed. */
export const translateShopRedaction: TopicTranslation = (body) => {
  refuseFields(body, "shop/redact", ["customer", "orders_to_redact", "orders_requested"]);
  const shopId = readShopifyId(at(body, "shop_id"));
  return [{ type: "ShopRedacted", subject: "shop", factKey: `shop-redacted/${shopId}`, payload: { shopId } }];
};

/** app/uninstalled contains the shop. */
export const translateUninstall: TopicTranslation = (body) => {
  refuseFields(body, "app/uninstalled", ["line_items", "order_id", "state", "shop_domain"]);
  const shopId = readShopifyId(at(body, "id"));
  const domain = at(body, "myshopify_domain");
  if (domain.value === undefined) addFault(domain, "the domain of the shop, or null");
  return [{ type: "ShopUninstalled", subject: "shop", factKey: `shop-uninstalled/${shopId}`, payload: { shopId } }];
};
