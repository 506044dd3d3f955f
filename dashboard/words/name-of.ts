/** Returns the name of a key that the service sent; a key that is newer than this page is returned unchanged. */
export function nameOf(names: Readonly<Record<string, string>>, key: string): string {
  return names[key] ?? key;
}
