/** The result of tier checks (program.md 6), written only from the page, in complete months of a store in UTC. */

export interface ModelRules {
  readonly periodMonths: number;
  readonly startMonth: number;
  readonly windowMonths: number;
  readonly onMiss: "one_down" | "matching" | "never";
  /** Minor units by tier; the first is 0. */
  readonly requirements: readonly number[];
}

export interface ModelCustomer {
  rank: number;
  floor: number | null;
  skips: boolean;
  readonly spends: readonly { readonly atMs: number; readonly minor: number }[];
}

/** The months (counted since year 0) of the checks after one instant, up to and including another. */
export function modelChecks(rules: ModelRules, afterMs: number, upToMs: number): number[] {
  const checks: number[] = [];
  for (let month = monthOf(afterMs); monthStart(month) <= upToMs; month++) {
    const isOfCycle =
      (((month - (rules.startMonth - 1)) % rules.periodMonths) + rules.periodMonths) % rules.periodMonths === 0;
    if (isOfCycle && monthStart(month) > afterMs) checks.push(month);
  }
  return checks;
}

/** Applies one check to a customer, over its window; returns whether the tier changed. */
export function modelCheck(rules: ModelRules, customer: ModelCustomer, month: number): boolean {
  if (customer.skips) {
    customer.skips = false;
    return false;
  }
  const [fromMs, toMs] = [monthStart(month - rules.windowMonths), monthStart(month)];
  const spent = customer.spends
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .reduce((sum, { minor }) => sum + minor, 0);
  const met = Math.max(0, rules.requirements.filter((requirement) => spent >= requirement).length - 1);
  const before = customer.rank;
  if (met > before) customer.rank = met;
  if (met < before && rules.onMiss !== "never") {
    const wanted = rules.onMiss === "matching" ? met : before - 1;
    customer.rank = Math.max(wanted, Math.min(customer.floor ?? 0, before));
  }
  return customer.rank !== before;
}

export function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
