const WITH_EXPONENT = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,3})$/;

/** Returns a JSON number without an exponent, exactly: 1e-06 is 0.000001. Other texts, and exponents of more than three digits, stay as they are. */
export function decimalText(source: string): string {
  const [, sign = "", whole, fraction = "", exponent] = WITH_EXPONENT.exec(source) ?? [];
  if (whole === undefined) return source;
  const before = "0".repeat(Math.max(0, 1 - whole.length - Number(exponent))); // so that a digit stays left of the point
  const digits = before + whole + fraction;
  const at = before.length + whole.length + Number(exponent);
  const left = digits
    .slice(0, at)
    .padEnd(at, "0")
    .replace(/^0+(?=[0-9])/, "");
  return sign + (at < digits.length ? `${left}.${digits.slice(at)}` : left);
}
