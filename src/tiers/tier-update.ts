import type { Fault } from "../problems.ts";
import type { TierRule } from "../program/program.ts";
import { defaultTier, matchTier } from "./tier-rules.ts";

/** What a request changes of a customer's tier (interface.md 4.10); an absent field stays as it is. */
export interface TierUpdate {
  /** By uid or name. */
  readonly tier?: string | undefined;
  /** By uid or name; null clears the floor. */
  readonly minimumTier?: string | null | undefined;
  readonly skipNextCheck?: boolean | undefined;
}

/** A tier that no check drops the customer below before a time: a floor with an end. */
export interface KeptTier {
  readonly tierUid: string;
  readonly until: Temporal.Instant;
}

/** A customer's tier, its uids resolved to rules of the program. */
export interface TierAssignment {
  readonly tier: TierRule;
  /** Null: no floor, or one that the program does not know any more. */
  readonly minimumTier: TierRule | null;
  readonly skipNextCheck: boolean;
}

/** The tier that a stored standing keeps; null: none. */
export function keptTierOf({
  keptTierUid: tierUid,
  keptUntil: until,
}: {
  readonly keptTierUid?: string | null;
  readonly keptUntil?: Temporal.Instant | null;
}): KeptTier | null {
  return tierUid && until ? { tierUid, until } : null;
}

/** The rule of a stored tier; the default one where none is stored, or one that was deleted. */
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
 * The standing after an update, or why there is none (program.md 2): none of the three fields, an unknown tier, a tier
 * below the floor. A floor alone never promotes.
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
