/** Returns a detail of a refusal as people read it: the interface says "integer", and does not group digits. */
export function refusalInEnglish(text: string): string {
  const grouped = (digits: string) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  const plain = text
    .replace(/\ban integer (?:from|at least|at most)\b.*/, (range) => range.replaceAll(/\d{4,}/g, grouped))
    .replace(/\ban integer\b/, "a whole number");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
