export type Tiers = readonly { readonly uid: string; readonly name: string }[];

/**
 * The tiers to choose from, with the chosen one if it was removed: a select would show that there is no condition. `tiers` is null until they are
 * read, and then none counts as removed.
 */
export function tierChoices(tiers: Tiers | null, chosen: string, removed: string): (readonly [string, string])[] {
  const choices = (tiers ?? []).map(({ uid, name }) => [uid, name] as const); // cast: a pair, not a list
  const isThere = tiers === null || chosen === "" || tiers.some(({ uid }) => uid === chosen);
  return isThere ? choices : [...choices, [chosen, removed]];
}
