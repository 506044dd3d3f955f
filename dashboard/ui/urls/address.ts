/** Parses the parameters of an address as texts; the router's parser would convert numbers. */
export function readSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Returns `?a=b` without empty values; an empty text if nothing is left. */
export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Splits a path of the dashboard, `/ledger?type=order`, for the router. */
export function splitPath(path: string): { to: string; search: Record<string, string> } {
  const [to = "/", text = ""] = path.split("?", 2);
  return { to, search: readSearch(text) };
}

/** Returns a topic as a part of an address: `point_balance/update` is `point_balance.update`. */
export function topicSlug(topic: string): string {
  return topic.replace("/", ".");
}
