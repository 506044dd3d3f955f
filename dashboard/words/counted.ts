/** Returns a count with its noun in English: "1 row", "2,000 rows", "+1 point". `count` is already formatted, with or without a sign. */
export function counted(count: string | number, one: string, many = `${one}s`): string {
  return `${count} ${/^[+\-−]?1$/u.test(String(count)) ? one : many}`;
}
