import type { MovementSums, SumRow } from "./book-queries.ts";
import { movementKindOf } from "./movement-kind.ts";

/** Adds up the sums whose type, sign and source make the same kind of movement. */
export function sumRowsOf(sums: readonly MovementSums[]): SumRow[] {
  const rows = new Map<string, SumRow>();
  for (const { type, isGain, source, ...sum } of sums) {
    const kind = movementKindOf({ type, isGain, source });
    const key = [sum.month, sum.cohort, sum.origin, kind, sum.causeMonth].join(" ");
    const known = rows.get(key) ?? { ...sum, kind, points: 0n, movements: 0n, money: 0n };
    rows.set(key, {
      ...known,
      points: known.points + sum.points,
      movements: known.movements + sum.movements,
      money: known.money + sum.money,
    });
  }
  return [...rows.values()];
}
