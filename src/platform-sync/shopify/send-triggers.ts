import type { Deps } from "../../deps.ts";
import { readBalances } from "../../ledger/read/read-balances.ts";
import { readTriggerErrors, receiveTrigger } from "../../platforms/shopify/admin/flow-trigger.ts";
import { gid } from "../../platforms/shopify/admin/gid.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { readProgram } from "../../program/read-program.ts";
import { tierOf } from "../../tiers/tier-of.ts";
import { nextLookS } from "../discount-creation.ts";
import { callAdmin } from "./call-admin.ts";
import { claimTrigger, deleteTrigger, postponeTrigger } from "./change-queries.ts";
import { isWorthSending, pointsPayload, type Trigger, tierPayload, triggerHandle } from "./trigger.ts";

/**
 * Starts the workflows of the next change (platforms.md 2). Returns whether to continue with the next one. A trigger that the
 * platform does not know, and what is older than a day, is dropped; where the platform does not answer, it is sent again: at
 * least once.
 */
export async function sendTriggers(deps: Deps, admin: ShopifyAdmin): Promise<boolean> {
  const trigger = await claimTrigger(deps.db);
  if (trigger === undefined) return false;
  const isKnown = gid("Customer", trigger.storefrontId) !== null;
  if (!isKnown || !isWorthSending(trigger, deps.clock.now())) {
    await deleteTrigger(deps.db, trigger.uid);
    return true;
  }
  const result = await callAdmin(deps, admin, receiveTrigger(triggerHandle(trigger), await payloadOf(deps, trigger)));
  if (result.kind !== "data") {
    await postponeTrigger(deps.db, trigger.uid, nextLookS(trigger.attempts - 1));
    return false;
  }
  const errors = readTriggerErrors(result.data);
  if (errors.length > 0) {
    deps.log.warn({ trigger: triggerHandle(trigger), errors }, "the platform did not accept a trigger");
  }
  await deleteTrigger(deps.db, trigger.uid);
  return true;
}

async function payloadOf(deps: Deps, trigger: Trigger): Promise<Readonly<Record<string, unknown>>> {
  if (trigger.kind === "tier") return tierPayload(trigger, (await readProgram(deps.db)).tiers);
  const [tier, balances] = await Promise.all([tierOf(deps.db, trigger), readBalances(deps, deps.db, [trigger])]);
  const expiresAt = balances.get(trigger.customerUid)?.expiresAt ?? null;
  return pointsPayload(trigger, { tier: tier.name, expiresAt });
}
