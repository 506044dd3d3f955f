import type { LockedBalance } from "../../ledger/balance-queries.ts";
import { applyPatch, type CustomerPatch, type CustomerRow, type Patched, type ProfileField } from "../customer.ts";
import { patchOfMerged } from "./merged-profile.ts";
import { isUpdateCause } from "./update-causes.ts";

export interface UpsertResult {
  /** As it is stored now. */
  readonly customer: CustomerRow;
  readonly created: boolean;
  /** As it was stored before; for a new customer, nothing is known. */
  readonly before: CustomerRow;
  /** The fields whose value changed. */
  readonly changed: readonly ProfileField[];
}

/** A customer whose balance is locked. */
export interface LockedCustomer {
  readonly customer: CustomerRow;
  readonly balance: LockedBalance;
  /** Whether an order gives points later to a balance that has none. */
  readonly awaits: boolean;
}

/** The results of some patches. */
export interface PatchedCustomers {
  /** By patch, in their order. */
  readonly results: readonly UpsertResult[];
  /** The customers that have to be written. */
  readonly written: readonly CustomerRow[];
  /** The customers for whom `point_balance/update` is published (interface.md 6.3). */
  readonly published: readonly Omit<LockedCustomer, "awaits">[];
}

/** Whether a patch leaves nothing to write: it repeats the stored data, or the customer was deleted. */
export function isSettled(known: CustomerRow, patch: CustomerPatch): boolean {
  if (known.deletedAt !== null) return true;
  const effective = patchOfMerged(known, patch);
  return isUnchanged(known, applyPatch(known, effective)) && !mayBeNewOfTags(known, effective);
}

/**
 * Whether a patch changes no field of a customer: it repeats the stored data, or is older. Its versions may still be newer. Returns false
 * for a deleted customer, and for the id of a merged one.
 */
export function changesNoField(known: CustomerRow, patch: CustomerPatch): boolean {
  if (known.deletedAt !== null || known.storefrontId !== patch.storefrontId) return false;
  return applyPatch(known, patch).changed.length === 0;
}

/** Whether a patch that changes no stored data may still state tags of another time. */
function mayBeNewOfTags({ fieldVersions }: CustomerRow, patch: CustomerPatch): boolean {
  if ((patch.tagsAdded ?? []).length + (patch.tagsRemoved ?? []).length > 0) return true;
  return patch.tags !== undefined && patch.profileAt !== undefined && patch.profileAt.toString() !== fieldVersions.tags;
}

/**
 * Applies patches to the customers whom they name, in their order: several patches of one customer each change the result of the previous
 * one. A deleted customer stays unchanged. `isNew`: whether the first patch of a storefront id creates its customer, which publishes
 * nothing.
 */
export function patchCustomers(
  patches: readonly CustomerPatch[],
  customerOf: (storefrontId: string) => LockedCustomer,
  isNew: (storefrontId: string) => boolean,
): PatchedCustomers {
  const present = new Map<string, CustomerRow>();
  const written = new Set<string>();
  const published = new Map<string, LockedBalance>();
  const results = patches.map((patch): UpsertResult => {
    const { customer: stored, balance, awaits } = customerOf(patch.storefrontId);
    const { customerUid } = stored;
    const before = present.get(customerUid) ?? stored;
    if (before.deletedAt !== null) return { customer: before, created: false, before, changed: [] };
    const created = !present.has(customerUid) && isNew(patch.storefrontId);
    const patched = applyPatch(before, patchOfMerged(before, patch));
    const { profile, changed, ...versions } = patched;
    const customer = { ...before, ...profile, ...versions };
    present.set(customerUid, customer);
    if (!isUnchanged(before, patched)) written.add(customerUid);
    if (!created && isUpdateCause(before, patched, { balance, awaits })) published.set(customerUid, balance);
    return { customer, created, before, changed };
  });
  const customers = [...present.values()];
  return {
    results,
    written: customers.filter(({ customerUid }) => written.has(customerUid)),
    published: customers.flatMap((customer) => {
      const balance = published.get(customer.customerUid);
      return balance === undefined ? [] : [{ customer, balance }];
    }),
  };
}

function isUnchanged(before: CustomerRow, { changed, fieldVersions, profileAt, consentAt }: Patched): boolean {
  const sameTimes = before.profileAt === profileAt && before.consentAt === consentAt;
  return changed.length === 0 && sameTimes && JSON.stringify(before.fieldVersions) === JSON.stringify(fieldVersions);
}
