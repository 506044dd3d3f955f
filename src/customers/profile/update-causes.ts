import type { LockedBalance } from "../../ledger/balance-queries.ts";
import type { Patched, Profile } from "../customer.ts";

/**
 * Whether a change of the profile is one of the causes of `point_balance/update` (interface.md 6.3): the name or the birthday changes, the
 * customer opts in to marketing, or the balance becomes active (program.md 7: it has points or awaits some, has once earned, and the account
 * gets enabled; an unknown account status counts as enabled). `awaits`: whether an order of the customer gives points later.
 */
export function isUpdateCause(
  before: Profile,
  patched: Patched,
  { balance, awaits }: { readonly balance: LockedBalance; readonly awaits: boolean },
): boolean {
  const { changed, profile } = patched;
  if (changed.includes("name") || changed.includes("birthday")) return true;
  if (profile.acceptsMarketing === true && before.acceptsMarketing !== true) return true;
  const isEnabledNow = before.accountEnabled === false && profile.accountEnabled !== false;
  return isEnabledNow && balance.earnedAt !== null && (balance.ledgerPoints > 0n || awaits);
}

/** Whether a balance has once earned points and has none now: it is active only while it awaits some. */
export function isEmptied({ ledgerPoints, earnedAt }: LockedBalance): boolean {
  return ledgerPoints === 0n && earnedAt !== null;
}
