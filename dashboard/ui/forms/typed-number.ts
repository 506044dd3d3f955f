/** Formats minor units for a field, as both languages write numbers: 123450 of a currency with 2 digits is "1,234.50". */
export function moneyText(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, "0");
  const point = text.length - digits;
  const whole = text.slice(0, point).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return digits === 0 ? whole : `${whole}.${text.slice(point)}`;
}

/** Formats a whole number of at least 0 for a field: "30,000". */
export function wholeText(value: number): string {
  return moneyText(value, 0);
}

/**
 * Parses typed text to exact minor units, ignoring thousands separators. Null for anything else, also for a decimal comma: read as a separator, "1,5"
 * would be ten times the number. A whole number has no decimals, and "30,00" is what is left of "30,000" when a digit is deleted.
 */
export function minorOf(text: string, digits: number): number | null {
  const typed = halfWidth(text).trim();
  if (digits > 0 && /,\d{1,2}$/.test(typed)) return null;
  const plain = typed.replace(/[\s,_]/g, "");
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d*))?$/.exec(plain) ?? [];
  if (whole === undefined || fraction.length > digits) return null;
  const minor = Number(whole + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Parses a typed whole number of at least 0; null for anything else. */
export function wholeOf(text: string): number | null {
  return minorOf(text.trim(), 0);
}

/** Parses a typed whole number with or without a sign, also one of those that Japanese input methods type; null for anything else. */
export function signedOf(text: string): number | null {
  const [, sign = "", rest = ""] = /^([-+−－ー‐＋]?)(.*)$/s.exec(text.trim()) ?? [];
  const size = wholeOf(rest);
  if (size === null || size === 0) return size;
  return sign === "" || sign === "+" || sign === "＋" ? size : -size;
}

/** Returns a typed decimal for the service, which reads it exactly: without the spaces and full-width characters that a person may type. */
export function decimalText(text: string): string {
  return halfWidth(text).trim();
}

/** Converts full-width digits, which Japanese keyboards also type. */
function halfWidth(text: string): string {
  return text.replace(/[０-９．，]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
}
