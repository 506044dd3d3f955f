import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { balanceExpiry } from "../ledger/expiry.ts";
import type { LockedBalance } from "../ledger/lock-balances.ts";
import { readProgram } from "../shop/read-program.ts";
import { readActiveSubscriptions } from "../webhooks/active-subscriptions.ts";
import { customerIdMember } from "../webhooks/customer-member.ts";
import { publishEvents } from "../webhooks/publish-event.ts";
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
  const program = await readProgram(tx);
  const { timeZone } = program.store;
  const payload = pointBalanceUpdate.payload({
    ...customer,
    balance: balance.ledgerPoints - balance.heldPoints,
    customerId: customer.storefrontId,
    idMember: customerIdMember(deps.config.platform),
    pointExpirationDate: balanceExpiry(balance, { ...program.expiration, timeZone }),
    timeZone,
    uid: customer.customerUid,
  });
  const { bucket, customerUid } = customer;
  await publishEvents(tx, deps, subscriptions, [
    { topic: "point_balance/update", bucket, customerUid, version: balance.version, payload },
  ]);
}
