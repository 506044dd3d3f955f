/** Failures of one address since they were last written down. */
export interface AddressTally {
  readonly address: string;
  readonly failures: number;
}

/** Stands for all addresses beyond those that are told one by one. */
export const OTHER_ADDRESSES = "";

/** Addresses of one hour that are told one by one, and so the rows and entries that an attack can make. */
export const ADDRESSES_MAX = 20;

/**
 * Returns what is written for an hour of whose addresses `known` have a row already: the known ones, then the busiest until there are
 * `ADDRESSES_MAX`, and one sum of all others.
 */
export function foldTallies(tallies: readonly AddressTally[], known: ReadonlySet<string>): AddressTally[] {
  let room = ADDRESSES_MAX - [...known].filter((address) => address !== OTHER_ADDRESSES).length;
  const told: AddressTally[] = [];
  let others = 0;
  for (const tally of tallies.toSorted((a, b) => b.failures - a.failures)) {
    const isTold = tally.address !== OTHER_ADDRESSES && (known.has(tally.address) || room-- > 0);
    if (isTold) told.push(tally);
    else others += tally.failures;
  }
  return others === 0 ? told : [...told, { address: OTHER_ADDRESSES, failures: others }];
}

/** The hour of an instant, as UTC counts them. */
export function hourOf(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: "hour", roundingMode: "floor" });
}
