import { patchOfFacts } from "../customers/customer.ts";
import { resubscribeCustomer } from "../customers/resubscribe-customer.ts";
import { upsertCustomer } from "../customers/upsert-customer.ts";
import type { Tx } from "../db/pool.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { assignGuestOrders } from "../orders/assign-guest-orders.ts";
import type { CustomerUpserted } from "../platforms/neutral-events.ts";
import { rewardCustomer } from "../rewards/reward-customer.ts";

/**
 * Creates or changes the customer of an event. If the event states an e-mail, it also gives the customer the guests' orders that wait under
 * it (program.md 4): the customer may have got the e-mail another way before, for example by CSV. Call `lockOrders` first. Gives rewards
 * for what the event states: a signup, an opt-in.
 */
export async function applyCustomer(tx: Tx, deps: PostingDeps, event: CustomerUpserted): Promise<void> {
  const { payload, entityVersion, occurredAt } = event;
  const { customer, before } = await upsertCustomer(tx, deps, patchOfFacts(payload, entityVersion, occurredAt));
  const statesEmail = (event.payload.email ?? null) !== null;
  if (statesEmail && customer.deletedAt === null) await assignGuestOrders(tx, deps, customer);
  if (payload.consentUpdatedAt === undefined) await resubscribeCustomer(tx, { before, customer });
  await rewardCustomer(tx, deps, { event, before, customer });
}
