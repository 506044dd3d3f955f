const UNCLEAR = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** Whether a number may be thousands or a fraction, by the country of who wrote it: 1.200 is 1200 or 1 and a fifth. It is not guessed. */
export function hasUnclearPoint(text: string): boolean {
  return UNCLEAR.test(text);
}
