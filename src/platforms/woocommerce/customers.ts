import { addFault, at, has, ifKnown, onlyKnown } from "../json-reader.ts";
import {
  gmtIfGiven,
  readWooEmail,
  readWooId,
  refuseWooFields,
  type WooTranslation,
  wooName,
  wooNameReading,
} from "./fields.ts";

/** customer.created and customer.updated: an account of the store. */
export const translateWooCustomer: WooTranslation = (body) => {
  refuseWooFields(body, "customer.*", ["line_items", "categories", "prices_include_tax"]);
  if (!has(body, "email")) addFault(at(body, "email"), "the e-mail of the customer");
  const customerId = readWooId(at(body, "id"));
  const createdAt = gmtIfGiven(body, "date_created");
  const version = gmtIfGiven(body, "date_modified") ?? createdAt;
  const names = { name: wooName(body), nameReading: wooNameReading(body) };
  const known = { email: ifKnown(at(body, "email"), readWooEmail), ...names, createdAt };
  return [
    {
      type: "CustomerUpserted",
      subject: `customer/${customerId}`,
      factKey: `customer/${customerId}@${version ?? ""}`,
      payload: { customerId, accountEnabled: true, ...onlyKnown(known) },
      ...onlyKnown({ occurredAt: version, entityVersion: version }),
    },
  ];
};

/** customer.deleted has only the id. A complete customer's body that is replayed under this topic deletes nobody. */
export const translateWooCustomerDeletion: WooTranslation = (body) => {
  refuseWooFields(body, "customer.deleted", ["email", "line_items", "date_created_gmt", "name", "status"]);
  const customerId = readWooId(at(body, "id"));
  return [
    {
      type: "CustomerDeleted",
      subject: `customer/${customerId}`,
      factKey: `customer-deleted/${customerId}`,
      payload: { customerId, reason: "deleted" },
    },
  ];
};
