import { hasUnclearPoint } from "./unclear-point.ts";

/** How numbers of 0 or more are written. The groups of thousands have the same separator throughout. */
const FORMS: readonly RegExp[] = [
  /^(?<whole>\d+)(?:\.(?<decimals>\d+))?$/,
  /^(?<whole>\d{1,3}(?<separator>[, '’])\d{3}(?:\k<separator>\d{3})*)(?:\.(?<decimals>\d+))?$/,
  // a decimal comma, as most of Europe writes it: one or two places, because three may be thousands
  /^(?<whole>\d+|\d{1,3}(?<separator>[. '’])\d{3}(?:\k<separator>\d{3})*),(?<decimals>\d{1,2})$/,
  // more than one point
  /^(?<whole>\d{1,3}(?:\.\d{3}){2,})$/,
];

/**
 * Returns a number of 0 or more as digits with at most one decimal point, whichever country's spreadsheet wrote it; undefined: it is no number, or can
 * be read in two ways, such as 1.200. `hasThreePlaces`: three decimal places are usual, so that a point before them is clear.
 */
export function plainNumber(text: string, { hasThreePlaces = false } = {}): string | undefined {
  if (!hasThreePlaces && hasUnclearPoint(text)) return undefined;
  const found = FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  const { whole, decimals } = found ?? {};
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, "");
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}
