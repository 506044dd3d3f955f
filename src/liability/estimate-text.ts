const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/;

/** `97.5` as 9750 hundredths of a percent; null unless it is a percentage from 0.01 to 100. */
export function parsePercent(text: string): number | null {
  const [, whole, fraction = ""] = PERCENT.exec(text) ?? [];
  if (whole === undefined) return null;
  const bps = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return bps >= 1 && bps <= 10_000 ? bps : null;
}

/** 9750 as `97.5`. */
export function formatPercent(bps: number): string {
  return decimalText(BigInt(bps), 2);
}

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,12}))?$/;
const MILLIONTHS_PLACES = 6;

/** `0.0095` of a currency with two places as 950,000 millionths of a minor unit; null unless it is an amount above 0 that is no finer. */
export function parsePointPrice(text: string, places: number): bigint | null {
  const [, whole, fraction = ""] = AMOUNT.exec(text) ?? [];
  const digits = places + MILLIONTHS_PLACES;
  if (whole === undefined || fraction.length > digits) return null;
  const millionths = BigInt(whole + fraction.padEnd(digits, "0"));
  return millionths > 0n ? millionths : null;
}

/** 950,000 millionths of a minor unit of a currency with two places as `0.0095`. */
export function formatPointPrice(millionths: bigint, places: number): string {
  return decimalText(millionths, places + MILLIONTHS_PLACES);
}

function decimalText(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  const whole = digits.slice(0, -places);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
