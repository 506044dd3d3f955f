import { Type } from "typebox";

declare global {
  interface JSON {
    /** Returns a value that `JSON.stringify` writes as the given JSON text: numbers beyond 2^53 keep their digits. */
    rawJSON(text: string): unknown;
  }
}

/** Returns the name of the field with a customer's id in payloads: `<platform>_id`, or `storefront_id` (program.md 1). */
export function customerIdName(platform: string | undefined): string {
  return `${platform ?? "storefront"}_id`;
}

const JSON_INTEGER = /^(0|[1-9]\d*)$/;

/**
 * Returns the `customer` object of a payload. An id of digits becomes a JSON number with exactly these digits. Any other id (with letters, or with
 * leading zeros, which JSON numbers cannot have) becomes a string (program.md 1).
 */
export function payloadCustomer(customerId: string, idField: string): Record<string, unknown> {
  return { [idField]: JSON_INTEGER.test(customerId) ? JSON.rawJSON(customerId) : customerId };
}

/** The `customer` of a payload. The document of a service with a platform has the platform's field instead (`customer-id-field.ts`). */
export const payloadCustomerSchema = Type.Object({
  storefront_id: Type.Union([Type.Integer(), Type.String()], {
    description:
      "The platform's id of the customer: a number if it is one. A service whose POINTKEEPER_PLATFORM is set sends `<platform>_id` instead.",
  }),
});

/** Returns points as a JSON number with exactly their digits. */
export function payloadPoints(points: bigint): unknown {
  return JSON.rawJSON(points.toString());
}
