import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import { claimMembers } from "./claim-members.ts";
import type { CustomerPatch, CustomerRow } from "./customer.ts";
import { selectByStorefrontIds, selectCustomers } from "./customer-queries.ts";
import { insertCustomers } from "./insert-customers.ts";
import { openCustomers } from "./open-customers.ts";
import { patchOfMerged } from "./profile/merged-profile.ts";
import { isSettled, type LockedCustomer, patchCustomers, type UpsertResult } from "./profile/patched-customers.ts";
import { publishProfiles } from "./profile/publish-profiles.ts";
import { writeProfiles } from "./profile/write-profiles.ts";
import { readAwaiting } from "./read-awaiting.ts";
import { recordTagStatements } from "./tags/record-tag-statements.ts";
import { statementOf } from "./tags/tag-history.ts";

/**
 * Creates or changes customers by patches (program.md 2): an absent field keeps the stored value, older versions never overwrite newer
 * ones, and several patches of one customer apply in their order. Publishes `point_balance/update` in the same transaction, only for the
 * causes of interface.md 6.3, once per customer, and never for a new one. A deleted customer stays unchanged. If there is something to
 * write, the customer's balance is locked until the transaction ends: code that locks an order must do so before. Returns the result of
 * each patch, in their order, with a fixed number of statements.
 */
export async function upsertCustomers(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  patches: readonly CustomerPatch[],
): Promise<readonly UpsertResult[]> {
  const known = await selectByStorefrontIds(tx, [...new Set(patches.map(({ storefrontId }) => storefrontId))]);
  // Whether there is something to write is decided from the rows: repeated patches take no lock.
  const open = changedCustomers(known, patches);
  const isOpen = ({ storefrontId }: CustomerPatch) => open.has(known.get(storefrontId)?.customerUid ?? null);
  const opened = patches.filter(isOpen);
  const results = (opened.length === 0 ? [] : await writePatches(tx, deps, known, opened)).values();
  return patches.map((patch) => {
    const customer = isOpen(patch) ? undefined : known.get(patch.storefrontId);
    if (customer !== undefined) return { customer, created: false, before: customer, changed: [] };
    const { value } = results.next();
    if (value === undefined) throw new Error("a patch has no result");
    return value;
  });
}

/** Returns customers with a change to write, by uid; null: unknown customers. */
function changedCustomers(
  known: ReadonlyMap<string, CustomerRow>,
  patches: readonly CustomerPatch[],
): ReadonlySet<string | null> {
  const open = new Set<string | null>([null]);
  for (const patch of patches) {
    const customer = known.get(patch.storefrontId);
    if (customer !== undefined && !isSettled(customer, patch)) open.add(customer.customerUid);
  }
  return open;
}

async function writePatches(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random" | "wake" | "config">,
  known: ReadonlyMap<string, CustomerRow>,
  patches: readonly CustomerPatch[],
): Promise<readonly UpsertResult[]> {
  const ids = [...new Set(patches.map(({ storefrontId }) => storefrontId))];
  const unknown = ids.filter((id) => !known.has(id));
  const made = await openCustomers(tx, deps, unknown);
  const late = await selectByStorefrontIds(
    tx,
    unknown.filter((id) => !made.has(id)),
  );
  const refOf = (id: string) => {
    const ref = known.get(id) ?? made.get(id) ?? late.get(id);
    if (ref === undefined) throw new Error("a customer's alias vanished");
    return ref;
  };
  const refs = [...new Map(ids.map((id) => [refOf(id).customerUid, refOf(id)])).values()];
  const isMade = new Set([...made.values()].map(({ customerUid }) => customerUid));
  const [, balances, customers] = await Promise.all([
    tx.execute(LOCK_SUBSCRIPTIONS_SHARED),
    lockLiveBalances(tx, refs),
    selectCustomers(
      tx,
      refs.filter(({ customerUid }) => !isMade.has(customerUid)),
    ),
  ]);
  const balanceOf = new Map(balances.map((balance) => [balance.customerUid, balance]));
  const rowOf = new Map([...customers, ...made.values()].map((customer) => [customer.customerUid, customer]));
  const awaiting = await readAwaiting(
    tx,
    balances.filter(({ customerUid }) => rowOf.get(customerUid)?.accountEnabled === false),
  );
  const customerOf = (id: string): LockedCustomer => {
    const { customerUid } = refOf(id);
    const [customer, balance] = [rowOf.get(customerUid), balanceOf.get(customerUid)];
    if (customer === undefined || balance === undefined)
      throw new Error(`customer ${customerUid} has no row or no balance`);
    return { customer, balance, awaits: awaiting.has(customerUid) };
  };
  const { results, written, published } = patchCustomers(patches, customerOf, (id) => made.has(id));
  const patched = new Map(written.map((customer) => [customer.customerUid, customer]));
  await insertCustomers(
    tx,
    [...made.values()].map((customer) => patched.get(customer.customerUid) ?? customer),
  );
  await writeProfiles(
    tx,
    deps,
    written.filter(({ customerUid }) => !isMade.has(customerUid)),
  );
  await recordTagStatements(tx, deps, tagStatements(patches, customerOf, deps.clock.now()));
  await publishProfiles(tx, deps, published);
  await claimMembers(tx, deps, newEmails(results));
  return results;
}

/** Returns the addresses that customers have now and did not have before. */
function newEmails(results: readonly UpsertResult[]): string[] {
  return results.flatMap(({ customer, before, created }) =>
    customer.email !== null && (created || customer.email !== before.email) ? [customer.email] : [],
  );
}

/** Returns the patches' statements about tags; nothing is stored for a deleted customer. */
function tagStatements(
  patches: readonly CustomerPatch[],
  customerOf: (storefrontId: string) => LockedCustomer,
  now: Temporal.Instant,
) {
  return patches.flatMap((patch) => {
    const { customer } = customerOf(patch.storefrontId);
    const statement = customer.deletedAt === null ? statementOf(patchOfMerged(customer, patch), now) : null;
    return statement === null ? [] : [{ customer, statement }];
  });
}
