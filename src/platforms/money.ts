/** Exponents of ISO 4217 other than 2. */
const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...[
    "BIF",
    "CLP",
    "DJF",
    "GNF",
    "ISK",
    "JPY",
    "KMF",
    "KRW",
    "PYG",
    "RWF",
    "UGX",
    "UYI",
    "VND",
    "VUV",
    "XAF",
    "XOF",
    "XPF",
  ].map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
  ...["CLF", "UYW"].map((code) => [code, 4] as const),
]);

/** The maximum of one amount in minor units: sums of many still fit in 64 bits. */
export const MONEY_MAX = 9_007_199_254_740_991n;

const DECIMAL = /^([+-]?)([0-9]{1,20})(?:\.([0-9]{0,20}))?$/;

/** Returns the number of decimal places of a currency by ISO 4217; 2 for unknown codes. */
export function exponent(currency: string): number {
  return EXPONENTS.get(currency) ?? 2;
}

/** Whether a text is three capital letters. It need not be in ISO's list: platforms use codes that are added later. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/**
 * Converts a decimal of major units to integer minor units (program.md 1, platforms.md 1.5): "12.5" of USD is 1250n, "0.0" of JPY is 0n.
 * Returns null if it is not a plain decimal, has a digit other than 0 below the smallest unit, or exceeds `MONEY_MAX`.
 */
export function parseMajor(text: string, currency: string): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const places = exponent(currency);
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const minor = BigInt(whole + fraction.slice(0, places).padEnd(places, "0"));
  if (minor > MONEY_MAX) return null;
  return sign === "-" ? -minor : minor;
}

/** Returns minor units as a decimal of major units: 1250n is "1250" of JPY, "12.50" of USD, "1.250" of BHD (program.md 1). */
export function formatMajor(minor: bigint, currency: string): string {
  const places = exponent(currency);
  const sign = minor < 0n ? "-" : "";
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, "0");
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
