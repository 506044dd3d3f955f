/** Failures of one address since they were last written down. */
export interface AddressTally {
  readonly address: string;
  readonly failures: number;
}

/** Stands for all addresses beyond those that are named one by one. */
export const OTHER_ADDRESSES = "";

/** Addresses of one hour that are named one by one, and so the rows and entries that an attack can make. */
export const ADDRESSES_MAX = 20;

/**
 * Returns what is written for an hour of whose addresses `known` have a row already: the known ones, then the busiest until there are
 * `ADDRESSES_MAX`, and one sum of all others.
 */
export function limitTallies(tallies: readonly AddressTally[], known: ReadonlySet<string>): AddressTally[] {
  let room = ADDRESSES_MAX - [...known].filter((address) => address !== OTHER_ADDRESSES).length;
  const named: AddressTally[] = [];
  let others = 0;
  for (const tally of tallies.toSorted((a, b) => b.failures - a.failures)) {
    const isNamed = tally.address !== OTHER_ADDRESSES && (known.has(tally.address) || room-- > 0);
    if (isNamed) named.push(tally);
    else others += tally.failures;
  }
  return others === 0 ? named : [...named, { address: OTHER_ADDRESSES, failures: others }];
}

/** The hour of an instant, as UTC counts them. */
export function hourOf(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: "hour", roundingMode: "floor" });
}
