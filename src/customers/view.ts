import type { Static } from "typebox";
import { formatInstant } from "../time/store-time.ts";
import type { CustomerPatch, CustomerRow } from "./customer.ts";
import type { CustomerBody, customerAnswer, mergedAnswer } from "./schema.ts";

/** Returns a customer as it is sent. */
export function customerView(customer: CustomerRow): Static<typeof customerAnswer> {
  return {
    data: {
      id: customer.storefrontId,
      uid: customer.customerUid,
      email: customer.email,
      name: customer.name,
      birthday: customer.birthday,
      accepts_marketing: customer.acceptsMarketing,
      account_enabled: customer.accountEnabled,
      created_at: formatInstant(customer.createdAt),
    },
  };
}

/** Returns merged customers as they are sent. */
export function mergedView(customers: readonly CustomerRow[]): Static<typeof mergedAnswer> {
  return {
    data: customers.map(({ storefrontId, customerUid, deletedAt, createdAt }) => ({
      id: storefrontId,
      uid: customerUid,
      merged_at: formatInstant(deletedAt ?? createdAt),
    })),
  };
}

/** Returns the patch for a request's body. */
export function patchOfBody(
  storefrontId: string,
  body: Omit<CustomerBody, "consent_updated_at">,
  consentAt?: Temporal.Instant,
): CustomerPatch {
  const {
    accepts_marketing: acceptsMarketing,
    account_enabled: accountEnabled,
    name_reading: nameReading,
    ...fields
  } = body;
  return { ...fields, storefrontId, nameReading, acceptsMarketing, accountEnabled, consentAt };
}
