declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as the given JSON text: numbers beyond 2^53 keep their digits. */
    rawJSON(text: string): unknown;
  }
}

/** The name of the field that carries a customer's id in payloads: `<platform>_id`, or `storefront_id` (program.md 1). */
export function customerIdName(platform: string | undefined): string {
  return `${platform ?? "storefront"}_id`;
}

const JSON_INTEGER = /^(0|[1-9]\d*)$/;

/**
 * The `customer` object of a payload. An id of digits becomes a JSON number of exactly these digits, any other id (letters,
 * leading zeros, which JSON numbers cannot have) a string (program.md 1).
 */
export function payloadCustomer(customerId: string, idField: string): Record<string, unknown> {
  return { [idField]: JSON_INTEGER.test(customerId) ? JSON.rawJSON(customerId) : customerId };
}

/** Points as a JSON number of exactly their digits. */
export function payloadPoints(points: bigint): unknown {
  return JSON.rawJSON(points.toString());
}
