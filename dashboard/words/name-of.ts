/** The name of what the service tells by a key; one that is newer than this page is its own name. */
export function nameOf(names: Readonly<Record<string, string>>, key: string): string {
  return names[key] ?? key;
}
