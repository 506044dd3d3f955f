import type { Body } from "./platform-json.ts";

/** Decimal places of the currencies of the stories and the demo. */
const PLACES: Readonly<Record<string, number>> = { JPY: 0, USD: 2, EUR: 2, BHD: 3 };

/** Formats minor units like the platform: 1234n of USD is "12.34". */
export function decimal(minor: bigint, currency: string): string {
  const places = PLACES[currency];
  if (places === undefined) throw new Error(`no decimal places known of ${currency}`);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, "0");
  const sign = minor < 0n ? "-" : "";
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** An amount and its set, as in `price` and `price_set`; the buyer pays in the shop's currency. */
export function priced(name: string, minor: bigint, currency: string): Body {
  return { [name]: decimal(minor, currency), [`${name}_set`]: moneySet(minor, currency) };
}

export function moneySet(minor: bigint, currency: string): Body {
  const money = { amount: decimal(minor, currency), currency_code: currency };
  return { shop_money: money, presentment_money: money };
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** Splits an amount by weight; the remainder goes to the first parts, one unit each. */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = total(weights);
  if (whole === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (amount * weight) / whole);
  const left = amount - total(shares);
  return shares.map((share, i) => (BigInt(i) < left ? share + 1n : share));
}
