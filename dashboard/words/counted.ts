/** A count with its noun in English: "1 row", "2,000 rows", "+1 point". `count` is as it is shown, without a sign or with one. */
export function counted(count: string | number, one: string, many = `${one}s`): string {
  return `${count} ${/^[+\-−]?1$/u.test(String(count)) ? one : many}`;
}
