const UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** Returns whether a number such as 1.200 is ambiguous: 1200 if the point separates thousands, 1.2 if it separates decimals. */
export function hasUnclearPoint(text: string): boolean {
  return UNCLEAR.test(text);
}
