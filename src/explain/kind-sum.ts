import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { AccountKind } from "../wire/account-kinds.ts";

/** The sums of allotments of one type and kind. */
export interface KindSum {
  readonly type: AllotmentType;
  readonly kind: AccountKind;
  readonly count: bigint;
  readonly given: bigint;
  /** Negative, or 0. */
  readonly taken: bigint;
}

/** Moves what undid imports from the kinds of their rows to a kind of its own; a kind that only had such allotments is left out. */
export function tellUndone(sums: readonly KindSum[], undone: readonly KindSum[]): readonly KindSum[] {
  const rest = sums.map((sum) => undone.filter((part) => isSameKind(part, sum)).reduce(without, sum));
  return [...rest.filter(({ count }) => count > 0n), ...undone.map((part) => ({ ...part, kind: "undo" as const }))]; // cast: the literal
}

function isSameKind(a: KindSum, b: KindSum): boolean {
  return a.type === b.type && a.kind === b.kind;
}

function without(sum: KindSum, part: KindSum): KindSum {
  const { count, given, taken } = part;
  return { ...sum, count: sum.count - count, given: sum.given - given, taken: sum.taken - taken };
}
