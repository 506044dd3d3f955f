import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { LockedBalance } from "../../ledger/balance-queries.ts";
import { readBalances } from "../../ledger/read/read-balances.ts";
import { readProgram } from "../../program/read-program.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { type OutboxEvent, publishEvents } from "../../webhooks/publish-events.ts";
import { readActiveTopics } from "../../webhooks/read-active-topics.ts";
import { pointBalanceUpdate } from "../../webhooks/topics/point-balance-update.ts";
import type { CustomerRow } from "../customer.ts";

/** A customer as it is stored now, with its balance. */
export interface PublishedCustomer {
  readonly customer: CustomerRow;
  readonly balance: Pick<LockedBalance, "version">;
}

/** Publishes `point_balance/update` of customers, each given once, whose balances and subscriptions are locked (interface.md 6.3). */
export async function publishProfiles(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  published: readonly PublishedCustomer[],
): Promise<void> {
  if (published.length === 0) return;
  const topics = await readActiveTopics(tx);
  if (!topics.has("point_balance/update")) return;
  const { timeZone } = (await readProgram(tx)).store;
  const customers = published.map(({ customer }) => customer);
  const balances = await readBalances(deps, tx, customers);
  const idField = customerIdName(deps.config.platform);
  const events = published.map(({ customer, balance }): OutboxEvent => {
    const { bucket, customerUid } = customer;
    const shown = balances.get(customerUid);
    if (shown === undefined) throw new Error(`customer ${customerUid} has no balance`);
    const payload = pointBalanceUpdate.payload({
      ...customer,
      balance: shown.points,
      customerId: customer.storefrontId,
      idField,
      pointExpirationDate: shown.expiresAt,
      timeZone,
      uid: customerUid,
    });
    return { topic: "point_balance/update", bucket, customerUid, version: balance.version, payload };
  });
  await publishEvents(tx, deps, topics, events);
}
