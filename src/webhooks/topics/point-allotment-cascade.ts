import { Type } from "typebox";
import { formatAllottedAt } from "../../time/store-time.ts";
import { payloadCustomer, payloadCustomerSchema, payloadPoints } from "../payload-fields.ts";

export interface CascadeInput {
  allottedAt: Temporal.Instant;
  /** The platform's id of the customer; the field name is `customerIdField`. */
  customerId: string;
  idField: string;
  pointValue: bigint;
  type: string;
  uid: string;
}

/** One event for each allotment with points (interface.md 6.2). */
export const pointAllotmentCascade = {
  name: "point_allotment/cascade",
  schema: Type.Object({
    allotted_at: Type.String({ description: "UTC without a zone, six fractional digits" }),
    customer: payloadCustomerSchema,
    point_value: Type.Integer(),
    type: Type.String(),
    uid: Type.String({ format: "uuid" }),
  }),
  sample: {
    allotted_at: "2026-03-01T09:30:00.123456",
    customer: { storefront_id: 4567890123 },
    point_value: 120,
    type: "fulfillment",
    uid: "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884",
  },
  /** Returns the body as JSON text. */
  payload(input: CascadeInput): string {
    return JSON.stringify({
      allotted_at: formatAllottedAt(input.allottedAt),
      customer: payloadCustomer(input.customerId, input.idField),
      point_value: payloadPoints(input.pointValue),
      type: input.type,
      uid: input.uid,
    });
  },
} as const;
