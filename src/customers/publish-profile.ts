import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { LockedBalance } from "../ledger/lock-balances.ts";
import { readBalances } from "../ledger/read-balances.ts";
import { readProgram } from "../shop/read-program.ts";
import { customerIdMember } from "../webhooks/customer-member.ts";
import { publishEvents } from "../webhooks/publish-events.ts";
import { readActiveSubscriptions } from "../webhooks/read-active-subscriptions.ts";
import { pointBalanceUpdate } from "../webhooks/topics/point-balance-update.ts";
import type { CustomerRow } from "./customer.ts";

/** Tells `point_balance/update` of a customer whose balance and subscriptions are locked (interface.md 6.3). */
export async function publishProfile(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  customer: CustomerRow,
  balance: LockedBalance,
): Promise<void> {
  const subscriptions = await readActiveSubscriptions(tx);
  if (!subscriptions.has("point_balance/update")) return;
  const { timeZone } = (await readProgram(tx)).store;
  const shown = (await readBalances(deps, tx, [customer])).get(customer.customerUid);
  if (shown === undefined) throw new Error(`customer ${customer.customerUid} has no balance`);
  const payload = pointBalanceUpdate.payload({
    ...customer,
    balance: shown.points,
    customerId: customer.storefrontId,
    idMember: customerIdMember(deps.config.platform),
    pointExpirationDate: shown.expiresAt,
    timeZone,
    uid: customer.customerUid,
  });
  const { bucket, customerUid } = customer;
  await publishEvents(tx, deps, subscriptions, [
    { topic: "point_balance/update", bucket, customerUid, version: balance.version, payload },
  ]);
}
