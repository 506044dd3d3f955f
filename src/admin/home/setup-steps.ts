import type { Program } from "../../program/program.ts";

/** The steps of setting up a new store, in the order of the checklist. */
export const SETUP_STEPS = ["store", "rate", "tiers", "expiry", "platform", "import", "second_owner"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** The facts from which the checklist is computed. */
export interface SetupFacts {
  /** The built-in program with which the store began. */
  readonly builtIn: Program;
  readonly program: Program;
  /** When the platform, or a script, last sent something; null: never. */
  readonly lastReceiptAt: Temporal.Instant | null;
  /** Whether a file of points, tiers or customers was imported. */
  readonly hasImport: boolean;
  /** The number of owners who may sign in. */
  readonly owners: number;
  /** Steps that a person confirmed without a change. */
  readonly confirmed: ReadonlySet<string>;
}

export interface SetupStepState {
  readonly step: SetupStep;
  readonly isDone: boolean;
  /** Done because a person confirmed it, which can be taken back. */
  readonly isConfirmed: boolean;
}

/**
 * Returns whether each step is done: because its condition is met, or because a person confirmed that nothing has to change. A setting counts as done
 * if it differs from the built-in program's.
 */
export function setupSteps(facts: SetupFacts): readonly SetupStepState[] {
  const found: Readonly<Record<SetupStep, boolean>> = {
    store: differs(facts, ({ store }) => [store.currency, store.timeZone]),
    rate: differs(facts, ({ earning }) => [earning.rate.pointValue, earning.rate.currencyValue]),
    tiers: differs(facts, ({ tiers }) =>
      tiers.rules.flatMap((rule) => [rule.name, rule.currencySpentRequirement, rule.pointValue, rule.currencyValue]),
    ),
    expiry: differs(facts, ({ expiration }) => [expiration.delayMonths, expiration.mode, expiration.sweep]),
    platform: facts.lastReceiptAt !== null,
    import: facts.hasImport,
    second_owner: facts.owners >= 2,
  };
  return SETUP_STEPS.map((step) => {
    const isConfirmed = !found[step] && facts.confirmed.has(step);
    return { step, isDone: found[step] || isConfirmed, isConfirmed };
  });
}

function differs(
  { builtIn, program }: Pick<SetupFacts, "builtIn" | "program">,
  valuesOf: (of: Program) => readonly (string | number | bigint | null)[],
): boolean {
  const [before, now] = [valuesOf(builtIn), valuesOf(program)];
  return before.length !== now.length || before.some((value, i) => value !== now[i]);
}
