import type { Fault } from "../problems.ts";
import type { ListElement } from "./document-reader.ts";

interface TierRuleFields {
  readonly uid: string | null;
  readonly name: string;
  readonly default: boolean | null;
  readonly currency_spent_requirement: number;
}

/** Whether a rule is the default tier's: as stated, otherwise if its requirement is 0. */
export function isDefaultRule(rule: Pick<TierRuleFields, "default" | "currency_spent_requirement">): boolean {
  return rule.default ?? rule.currency_spent_requirement === 0;
}

/**
 * Adds the faults between tier rules: names, uids and requirements must differ; exactly one rule is the default, and it is the one with a
 * requirement of 0. An empty list is no fault: the store then has only its default tier (program.md 9).
 */
export function checkTierRules(rules: readonly ListElement<TierRuleFields>[], faults: Fault[], isWhole: boolean): void {
  checkUnique(rules, "name", faults);
  checkUnique(rules, "uid", faults);
  checkUnique(rules, "currency_spent_requirement", faults);
  for (const { value, pointer } of rules) {
    if (!isDefaultRule(value) || value.currency_spent_requirement === 0) continue;
    faults.push({
      pointer: `${pointer}/currency_spent_requirement`,
      detail: "expected 0, since this is the default tier",
    });
  }
  const defaults = rules.filter(({ value }) => isDefaultRule(value));
  for (const { pointer } of defaults.slice(1)) {
    faults.push({ pointer: `${pointer}/default`, detail: "expected one default tier, not a second" });
  }
  if (defaults.length === 0 && isWhole && rules.length > 0) {
    faults.push({ pointer: "/tiers/rules", detail: "expected exactly one default tier" });
  }
}

function checkUnique(
  rules: readonly ListElement<TierRuleFields>[],
  field: keyof TierRuleFields,
  faults: Fault[],
): void {
  const seen = new Set<unknown>();
  for (const { value, pointer } of rules) {
    const key = value[field];
    if (key !== null && seen.has(key)) {
      faults.push({
        pointer: `${pointer}/${field}`,
        detail: `expected a value that no other tier has, not ${JSON.stringify(key)} again`,
      });
    }
    seen.add(key);
  }
}

interface CampaignFields {
  readonly name: string;
  /** In the form of `formatInstant`, so that texts compare like times. */
  readonly starts_at: string;
  readonly ends_at: string;
}

/** Adds the faults of campaigns: an end that is not after the start, or an overlap with another campaign (program.md 4: one at a time). */
export function checkCampaigns(campaigns: readonly ListElement<CampaignFields>[], faults: Fault[]): void {
  const possible: ListElement<CampaignFields>[] = [];
  for (const element of campaigns) {
    if (element.value.starts_at < element.value.ends_at) possible.push(element);
    else faults.push({ pointer: `${element.pointer}/ends_at`, detail: "expected a time after starts_at" });
  }
  const byStart = possible.toSorted((a, b) => compareTexts(a.value.starts_at, b.value.starts_at));
  let longest: ListElement<CampaignFields> | undefined;
  for (const element of byStart) {
    if (longest !== undefined && element.value.starts_at < longest.value.ends_at) {
      faults.push({
        pointer: `${element.pointer}/starts_at`,
        detail: `expected campaign ${JSON.stringify(element.value.name)} not to overlap campaign ${JSON.stringify(longest.value.name)}, which ends at ${longest.value.ends_at}`,
      });
    }
    if (longest === undefined || element.value.ends_at > longest.value.ends_at) longest = element;
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface BonusFields {
  readonly starts_at: string | null;
  readonly ends_at: string | null;
}

/** Adds the faults of bonus collections: an end that is not after the start. Several bonuses of a collection may run at once: the best counts. */
export function checkBonuses(bonuses: readonly ListElement<BonusFields>[], faults: Fault[]): void {
  for (const { value, pointer } of bonuses) {
    if (value.starts_at === null || value.ends_at === null || value.starts_at < value.ends_at) continue;
    faults.push({ pointer: `${pointer}/ends_at`, detail: "expected a time after starts_at" });
  }
}
