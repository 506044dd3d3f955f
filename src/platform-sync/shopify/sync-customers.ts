import type { Deps } from "../../deps.ts";
import { readBalances } from "../../ledger/read/read-balances.ts";
import { gid } from "../../platforms/shopify/admin/gid.ts";
import { METAFIELDS_MAX, readRefused, setMetafields } from "../../platforms/shopify/admin/metafields.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { readProgram } from "../../program/read-program.ts";
import { readTier } from "../../tiers/read-tier.ts";
import { nextLookS } from "../discount-creation.ts";
import { callAdmin } from "./call-admin.ts";
import { claimStale, postponeStale, type StaleCustomer, saveSynced, saveUntilHoldEnds } from "./change-queries.ts";
import { customerAttributes, digestOf } from "./loyalty-attributes.ts";

/** A customer whom the platform refuses so often is gone from it, until something changes again. */
const ATTEMPTS_MAX = 10;
/** How often a balance that a hold lowers is read again. */
const HOLD_LOOK_S = 60;

interface MetafieldUpdate {
  readonly customer: StaleCustomer;
  readonly ownerId: string;
  readonly value: string;
  readonly digest: Buffer;
  /** Whether a hold lowers the balance in it. Its end writes no allotment, so the customer is looked at again. */
  readonly hasHold: boolean;
}

/**
 * Sets the metafields of the next customers whose points, tier or rate changed, 25 at a time; several changes of one are sent
 * once, and an unchanged value is not sent. Returns how many were checked; also 0 where the platform does not answer.
 */
export async function syncCustomers(deps: Deps, admin: ShopifyAdmin): Promise<number> {
  const stale = await claimStale(deps.db, METAFIELDS_MAX);
  if (stale.length === 0) return 0;
  const updates: MetafieldUpdate[] = [];
  for (const customer of stale) {
    const update = await metafieldOf(deps, customer);
    if (update === null) await saveSynced(deps.db, customer, customer.digest);
    else if (customer.digest?.equals(update.digest) === true) await saveUpdate(deps, update);
    else updates.push(update);
  }
  const isAnswered = updates.length === 0 || (await send(deps, admin, updates));
  return isAnswered ? stale.length : 0;
}

/** Null: the platform has no such customer. */
async function metafieldOf(deps: Deps, customer: StaleCustomer): Promise<MetafieldUpdate | null> {
  const ownerId = gid("Customer", customer.storefrontId);
  if (ownerId === null || customer.isDeleted) return null;
  const [balances, record, program] = await Promise.all([
    readBalances(deps, deps.db, [customer]),
    readTier(deps, customer.storefrontId),
    readProgram(deps.db),
  ]);
  const balance = balances.get(customer.customerUid);
  if (balance === undefined) return null;
  const value = JSON.stringify(customerAttributes(program, deps.clock.now(), { balance, record }));
  return { customer, ownerId, value, digest: digestOf(value), hasHold: (balance.held ?? 0n) > 0n };
}

async function saveUpdate({ db }: Pick<Deps, "db">, { customer, digest, hasHold }: MetafieldUpdate): Promise<void> {
  if (hasHold) await saveUntilHoldEnds(db, customer, digest, HOLD_LOOK_S);
  else await saveSynced(db, customer, digest);
}

/** All or none are set: those that the platform names are left to later, and the others sent again. */
async function send(deps: Deps, admin: ShopifyAdmin, updates: readonly MetafieldUpdate[]): Promise<boolean> {
  const result = await callAdmin(deps, admin, setMetafields(updates));
  const refused = result.kind === "data" ? readRefused(result.data) : [{ place: null }];
  if (refused.length === 0) {
    for (const update of updates) await saveUpdate(deps, update);
    return true;
  }
  const named = new Set(refused.flatMap(({ place }) => place ?? []));
  const failed = named.size === 0 ? updates : updates.filter((_, i) => named.has(i));
  for (const { customer } of failed) {
    const isGone = named.size > 0 && customer.attempts >= ATTEMPTS_MAX;
    if (isGone) await saveSynced(deps.db, customer, null);
    else await postponeStale(deps.db, customer, nextLookS(customer.attempts - 1));
  }
  const rest = updates.filter((update) => !failed.includes(update));
  if (rest.length > 0) await send(deps, admin, rest);
  return result.kind === "data";
}
