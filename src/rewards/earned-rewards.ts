import type { CustomerRow } from "../customers/customer.ts";
import type { CustomerUpserted } from "../platforms/neutral-events.ts";

/** A customer's event and its changes. */
export interface CustomerStatement {
  readonly event: CustomerUpserted;
  readonly before: Pick<CustomerRow, "acceptsMarketing" | "accountEnabled">;
  readonly customer: Pick<CustomerRow, "acceptsMarketing" | "accountEnabled" | "consentAt" | "deletedAt">;
}

/** A reward that is earned once, with the time of the customer's action: the program of that time decides the points. */
export interface EarnedReward {
  readonly kind: "signup" | "marketingOptIn";
  readonly at: Temporal.Instant;
}

/**
 * Returns the rewards for what a customer did according to an event (program.md 4, Rewards). Signed up: at the account's creation, or when
 * a disabled account is enabled. Opted in: at the time of the consent; if the event has none, when a known "no" becomes a "yes". Test
 * events, deleted customers and disabled accounts earn nothing; the actions of a disabled account are found again when it is enabled.
 * Whether there was a reward at that time, and whether it was paid before, is not decided here.
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

/**
 * Returns the time of an opt-in that the event states, even if a newer statement is stored: the customer did opt in, whatever the order of
 * events.
 */
function optIn({ event, before, customer }: CustomerStatement, isEnabledNow: boolean): Temporal.Instant | null {
  const { acceptsMarketing, consentUpdatedAt } = event.payload;
  if (acceptsMarketing === true && consentUpdatedAt !== undefined) return consentUpdatedAt;
  if (acceptsMarketing === true && before.acceptsMarketing === false) return event.occurredAt;
  return isEnabledNow && customer.acceptsMarketing === true ? customer.consentAt : null;
}
