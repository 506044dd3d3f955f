/** The preferences of a header, separated by commas; a quoted value may have commas. */
const PREFERENCES = /(?:"[^"]*"|[^",])+/g;

/**
 * Returns the value of a preference in `Prefer` without its quotes and parameters; undefined without the preference. Of several with the same
 * name the first one counts (RFC 7240, 2).
 */
export function preferenceOf(header: string | readonly string[] | undefined, name: string): string | undefined {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  for (const [preference] of text.matchAll(PREFERENCES)) {
    const [main = ""] = preference.split(";", 1);
    const [given = "", ...value] = main.split("=");
    if (given.trim().toLowerCase() === name) return unquoted(value.join("=").trim());
  }
  return undefined;
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
