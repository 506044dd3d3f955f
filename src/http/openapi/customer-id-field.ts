/** The field with a customer's id in payloads of a service without a platform. */
const DEFAULT_FIELD = "storefront_id";

/**
 * Returns a part of the document in which each `customer` of an event, in schemas and examples, has its id in `field`, as the events of this
 * service have it (program.md 1).
 */
export function withCustomerIdField(part: unknown, field: string): unknown {
  if (field === DEFAULT_FIELD || typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => withCustomerIdField(one, field));
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    name === "customer" ? renamed(value, field) : withCustomerIdField(value, field),
  ]);
  return Object.fromEntries(entries);
}

/** The name is a key of `properties` and of examples, and an element of `required`. */
function renamed(customer: unknown, field: string): unknown {
  return JSON.parse(JSON.stringify(customer).replaceAll(JSON.stringify(DEFAULT_FIELD), () => JSON.stringify(field)));
}
