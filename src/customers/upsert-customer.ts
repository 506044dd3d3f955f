import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { LockedBalance } from "../ledger/lock-balances.ts";
import { lockLiveBalances } from "../ledger/lock-live-balances.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-subscriptions.ts";
import { createCustomer } from "./create-customer.ts";
import { applyPatch, type CustomerPatch, type CustomerRow, type Patched, type ProfileMember } from "./customer.ts";
import { selectByStorefrontId, selectCustomer } from "./customer-queries.ts";
import { patchOfMerged } from "./merged-profile.ts";
import { publishProfile } from "./publish-profile.ts";
import { isUpdateCause } from "./update-causes.ts";
import { writeProfile } from "./write-profile.ts";

export interface UpsertResult {
  /** As it is stored now. */
  readonly customer: CustomerRow;
  readonly created: boolean;
  /** As it was stored before; of one that is just created nothing is known. */
  readonly before: CustomerRow;
  /** The members whose value is another one now. */
  readonly changed: readonly ProfileMember[];
}

/**
 * Creates or changes a customer by what somebody says (program.md 2): absent keeps what is stored, older versions never
 * overwrite newer ones. Tells `point_balance/update` in the same transaction, for the causes of interface.md 6.3 alone and never
 * for a customer that is just created. A deleted customer stays as it is. Where there is something to write, the customer's
 * balance is locked until the transaction ends: whoever locks an order does so before.
 */
export async function upsertCustomer(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  patch: CustomerPatch,
): Promise<UpsertResult> {
  const known = await selectByStorefrontId(tx, patch.storefrontId);
  // Nothing to write is told from the row alone: replays take no lock.
  if (known !== undefined && isSettled(known, patch))
    return { customer: known, created: false, before: known, changed: [] };
  const made = known === undefined ? await createCustomer(tx, deps, patch.storefrontId) : null;
  const ref = known ?? made ?? (await selectByStorefrontId(tx, patch.storefrontId));
  if (ref === undefined) throw new Error("a customer's alias vanished");
  const [, [balance], before] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(tx, [ref]),
    selectCustomer(tx, ref),
  ]);
  if (balance === undefined || before === undefined)
    throw new Error(`customer ${ref.customerUid} has no row or no balance`);
  if (before.deletedAt !== null) return { customer: before, created: false, before, changed: [] };
  return { ...(await writePatch(tx, deps, { before, balance, patch, isNew: made !== null })), created: made !== null };
}

async function writePatch(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  given: { before: CustomerRow; balance: LockedBalance; patch: CustomerPatch; isNew: boolean },
): Promise<Omit<UpsertResult, "created">> {
  const { before, balance, patch, isNew } = given;
  const patched = applyPatch(before, patchOfMerged(before, patch));
  const { profile, changed, ...versions } = patched;
  const customer = { ...before, ...profile, ...versions };
  if (!isUnchanged(before, patched)) await writeProfile(tx, deps, customer);
  if (!isNew && isUpdateCause(before, patched, balance)) await publishProfile(tx, deps, customer, balance);
  return { customer, before, changed };
}

function isSettled(known: CustomerRow, patch: CustomerPatch): boolean {
  return known.deletedAt !== null || isUnchanged(known, applyPatch(known, patchOfMerged(known, patch)));
}

function isUnchanged(before: CustomerRow, { changed, memberVersions, profileAt, consentAt }: Patched): boolean {
  const sameTimes = before.profileAt === profileAt && before.consentAt === consentAt;
  return changed.length === 0 && sameTimes && JSON.stringify(before.memberVersions) === JSON.stringify(memberVersions);
}
