import type { CustomerRow } from "../customers/customer.ts";
import type { CustomerUpserted } from "../platforms/neutral-events.ts";

/** A customer's event and what it changed. */
export interface CustomerStatement {
  readonly event: CustomerUpserted;
  readonly before: Pick<CustomerRow, "acceptsMarketing" | "accountEnabled">;
  readonly customer: Pick<CustomerRow, "acceptsMarketing" | "accountEnabled" | "consentAt" | "deletedAt">;
}

/** Something that earns a reward once, and when the customer did it: the program of then decides the points. */
export interface EarnedReward {
  readonly kind: "signup" | "marketingOptIn";
  readonly at: Temporal.Instant;
}

/**
 * What an event says that a customer did (program.md 4, Rewards). Signed up: at the account's creation, or when an account that
 * was disabled is enabled. Opted in: at the time of the consent; where the event has none, when a known "no" becomes a
 * "yes". Test events, deleted customers and disabled accounts earn nothing; what a disabled account did is found again when it
 * is enabled. Whether there was a reward then, and whether it was paid before, is not decided here.
 */
export function earnedRewards({ event, before, customer }: CustomerStatement): EarnedReward[] {
  if (event.test || customer.deletedAt !== null || customer.accountEnabled === false) return [];
  const isEnabledNow = before.accountEnabled === false;
  const { createdAt } = event.payload;
  const signedUpAt = isEnabledNow ? event.occurredAt : createdAt;
  const optedInAt = optIn({ event, before, customer }, isEnabledNow);
  return [
    ...(signedUpAt === undefined ? [] : [{ kind: "signup" as const, at: signedUpAt }]),
    ...(optedInAt === null ? [] : [{ kind: "marketingOptIn" as const, at: optedInAt }]),
  ];
}

/** By what the event states even where a newer word is stored: the customer did opt in, in whatever order the events come. */
function optIn({ event, before, customer }: CustomerStatement, isEnabledNow: boolean): Temporal.Instant | null {
  const { acceptsMarketing, consentUpdatedAt } = event.payload;
  if (acceptsMarketing === true && consentUpdatedAt !== undefined) return consentUpdatedAt;
  if (acceptsMarketing === true && before.acceptsMarketing === false) return event.occurredAt;
  return isEnabledNow && customer.acceptsMarketing === true ? customer.consentAt : null;
}
