import { Type } from "typebox";
import { formatAllottedAt } from "../../time/store-time.ts";
import { payloadCustomer, payloadCustomerSchema } from "../../webhooks/payload-fields.ts";

/** What the event of a change is made of. */
export interface TierEventInput {
  readonly changedAt: Temporal.Instant;
  /** The platform's id of the customer; the field name is `idField`. */
  readonly customerId: string;
  readonly idField: string;
  readonly fromUid: string | null;
  readonly toUid: string | null;
  readonly fromName: string | null;
  readonly toName: string | null;
  readonly cause: string;
  readonly uid: string;
}

const tier = Type.Union([
  Type.Object({ uid: Type.String({ format: "uuid" }), name: Type.Union([Type.String(), Type.Null()]) }),
  Type.Null(),
]);

/** An event of the change feed alone: there is no webhook of this topic. */
export const tierChangeEvent = {
  name: "tier/change",
  schema: Type.Object({
    changed_at: Type.String({ description: "UTC without a zone, six fractional digits: since when the tier applies" }),
    customer: payloadCustomerSchema,
    from: tier,
    to: tier,
    cause: Type.String({ description: "api, check, program, manual or merge" }),
    uid: Type.String({ format: "uuid" }),
  }),
  /** Returns the body as JSON text. */
  payload(input: TierEventInput): string {
    return JSON.stringify({
      changed_at: formatAllottedAt(input.changedAt),
      customer: payloadCustomer(input.customerId, input.idField),
      from: input.fromUid === null ? null : { uid: input.fromUid, name: input.fromName },
      to: input.toUid === null ? null : { uid: input.toUid, name: input.toName },
      cause: input.cause,
      uid: input.uid,
    });
  },
} as const;
