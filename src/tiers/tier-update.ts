import type { Fault } from "../problems.ts";
import type { TierRule } from "../program/program.ts";
import { defaultTier, matchTier } from "./tier-rules.ts";

/** The changes that a request makes to a customer's tier (interface.md 4.10); an absent field stays as it is. */
export interface TierUpdate {
  /** By uid or name. */
  readonly tier?: string | undefined;
  /** By uid or name; null clears the floor. */
  readonly minimumTier?: string | null | undefined;
  readonly skipNextCheck?: boolean | undefined;
}

/** A tier below which no check places the customer before a time: a floor with an end. */
export interface KeptTier {
  readonly tierUid: string;
  readonly until: Temporal.Instant;
}

/** A customer's tier, with its uids resolved to rules of the program. */
export interface TierAssignment {
  readonly tier: TierRule;
  /** null: no floor, or one that is no longer in the program. */
  readonly minimumTier: TierRule | null;
  readonly skipNextCheck: boolean;
}

/** Returns the tier that a stored standing keeps; null: none. */
export function keptTierOf({
  keptTierUid: tierUid,
  keptUntil: until,
}: {
  readonly keptTierUid?: string | null;
  readonly keptUntil?: Temporal.Instant | null;
}): KeptTier | null {
  return tierUid && until ? { tierUid, until } : null;
}

/** Returns the higher one of kept tiers that are still kept at a time, of equal ones the one that is kept longer; null: none is. */
export function higherKept(
  rules: readonly TierRule[],
  kept: readonly (KeptTier | null)[],
  now: Temporal.Instant,
): KeptTier | null {
  const rankOf = ({ tierUid }: KeptTier) => rules.findIndex(({ uid }) => uid === tierUid);
  return (
    kept
      .filter((tier) => tier !== null)
      .filter(({ until }) => Temporal.Instant.compare(until, now) > 0)
      .toSorted((a, b) => rankOf(b) - rankOf(a) || Temporal.Instant.compare(b.until, a.until))[0] ?? null
  );
}

/** Whether a standing has a lower tier or floor than the one before it. */
export function isLowerStanding(rules: readonly TierRule[], before: TierAssignment, after: TierAssignment): boolean {
  const rankOf = (rule: TierRule | null) => (rule === null ? -1 : rules.indexOf(rule));
  return rankOf(after.tier) < rankOf(before.tier) || rankOf(after.minimumTier) < rankOf(before.minimumTier);
}

/** Returns the rule of a stored tier; the default one if none is stored, or a deleted one. */
export function presentTier(rules: readonly TierRule[], tierUid: string | null): TierRule {
  return rules.find(({ uid }) => uid === tierUid) ?? defaultTier(rules);
}

export function assignmentOf(
  rules: readonly TierRule[],
  stored: { readonly tierUid: string | null; readonly minimumTierUid: string | null; readonly skipNextCheck: boolean },
): TierAssignment {
  return {
    tier: presentTier(rules, stored.tierUid),
    minimumTier: rules.find(({ uid }) => uid === stored.minimumTierUid) ?? null,
    skipNextCheck: stored.skipNextCheck,
  };
}

/**
 * Returns the standing after an update, or why it is refused (program.md 2): none of the three fields, an unknown tier, a tier below the
 * floor. A floor alone never promotes.
 */
export function updateAssignment(
  rules: readonly TierRule[],
  before: TierAssignment,
  update: TierUpdate,
): TierAssignment | Fault {
  if (update.tier === undefined && update.minimumTier === undefined && update.skipNextCheck === undefined) {
    return { pointer: "", detail: "expected at least one of tier, minimum_tier, skip_next_check" };
  }
  const tier = update.tier === undefined ? before.tier : matchTier(rules, update.tier);
  if (tier === undefined) return unknownTier("/tier", rules);
  const minimumTier = floorAfter(rules, before, update.minimumTier);
  if (minimumTier === undefined) return unknownTier("/minimum_tier", rules);
  const isBelow = minimumTier !== null && rules.indexOf(tier) < rules.indexOf(minimumTier);
  if (update.tier !== undefined && isBelow) {
    return { pointer: "/tier", detail: `expected a tier not below the minimum tier, ${minimumTier.name}` };
  }
  return { tier, minimumTier, skipNextCheck: update.skipNextCheck ?? before.skipNextCheck };
}

function floorAfter(
  rules: readonly TierRule[],
  before: TierAssignment,
  floor: string | null | undefined,
): TierRule | null | undefined {
  if (floor === undefined) return before.minimumTier;
  return floor === null ? null : matchTier(rules, floor);
}

function unknownTier(pointer: string, rules: readonly TierRule[]): Fault {
  return { pointer, detail: `expected a tier's name or uid: ${rules.map(({ name }) => name).join(", ")}` };
}
