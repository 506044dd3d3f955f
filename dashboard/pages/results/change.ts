/** Returns the relative increase from the first to the second; null: the first is 0. */
export function changeBetween(before: number, now: number): number | null {
  return before === 0 ? null : (now - before) / before;
}
