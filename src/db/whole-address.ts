/**
 * Returns a regular expression of PostgreSQL for an address (lower case) that is not part of a longer one. `before`: regular expressions of what may
 * stand directly before it, besides what no address contains.
 */
export function wholeAddress(address: string, before: readonly string[] = []): string {
  const literal = address.replaceAll(/[\\^$.|?*+()[\]{}-]/g, "\\$&");
  const ahead = ["^", "[^a-z0-9._%+-]", ...before].join("|");
  return `(${ahead})${literal}($|[^a-z0-9.-]|\\.($|[^a-z0-9-]))`;
}
