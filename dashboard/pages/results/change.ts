/** By what part of the first the second is more; null: there was nothing. */
export function changeBetween(before: number, now: number): number | null {
  return before === 0 ? null : (now - before) / before;
}
