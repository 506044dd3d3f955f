const UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** Returns whether a number such as 1.200 can be read both ways: 1200 where the point separates thousands, 1.2 where it separates decimals. */
export function hasUnclearPoint(text: string): boolean {
  return UNCLEAR.test(text);
}
