import type { Program, TierRule } from "../program/program.ts";

/** The spend that is still missing for a tier; minor units. */
export interface TierProgress {
  readonly rule: TierRule;
  /** Never below 0. */
  readonly remaining: bigint;
  /** Points per minor unit: `point_value` / `currency_value`. */
  readonly ratio: number;
}

/** The data of a customer's tier record, for the next check (interface.md 2.6, program.md 6). */
export interface Advancement {
  /** The next check's time. */
  readonly deadline: Temporal.Instant;
  /** The next tier up; null: the customer is in the highest one. */
  readonly next: TierProgress | null;
  /** All tiers, ascending. */
  readonly tiers: readonly TierProgress[];
  /** What is needed to keep the present tier. */
  readonly maintenance: TierProgress;
}

/**
 * Returns a customer's advancement. `spent`: minor units in the window of the check at `deadline` so far. `present`: the customer's tier, a
 * rule of the program.
 */
export function advancement(
  rules: Program["tiers"]["rules"],
  {
    present,
    spent,
    deadline,
  }: { readonly present: TierRule; readonly spent: bigint; readonly deadline: Temporal.Instant },
): Advancement {
  const tiers = rules.map((rule) => progress(rule, spent));
  const next = tiers.find(({ rule }) => rule.currencySpentRequirement > present.currencySpentRequirement) ?? null;
  return { deadline, next, tiers, maintenance: progress(present, spent) };
}

function progress(rule: TierRule, spent: bigint): TierProgress {
  const missing = rule.currencySpentRequirement - spent;
  return { rule, remaining: missing > 0n ? missing : 0n, ratio: Number(rule.pointValue) / Number(rule.currencyValue) };
}
