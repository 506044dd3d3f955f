export type Tiers = readonly { readonly uid: string; readonly name: string }[];

/**
 * The tiers to choose from, with chosen ones that were removed: otherwise nothing would show that the condition has them. `tiers` is null until they
 * are read, and then none counts as removed.
 */
export function tierChoices(
  tiers: Tiers | null,
  chosen: readonly string[],
  removed: string,
): (readonly [string, string])[] {
  if (tiers === null) return [];
  const gone = chosen.filter((uid) => !tiers.some((tier) => tier.uid === uid));
  return [...tiers.map(({ uid, name }) => [uid, name] as const), ...gone.map((uid) => [uid, removed] as const)]; // cast: pairs, not lists
}
