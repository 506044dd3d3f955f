/** The failures of one address that are not written yet. */
export interface AddressTally {
  readonly address: string;
  readonly failures: number;
}

/** Represents all addresses that are not listed individually. */
export const OTHER_ADDRESSES = "";

/** The number of addresses per hour that are listed individually. It limits the rows and audit entries that an attack can cause. */
export const ADDRESSES_MAX = 20;

/**
 * Returns the tallies to write for an hour in which the addresses of `known` already have a row: the known ones, then the busiest up to
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

/** Returns the start of an instant's hour in UTC. */
export function hourOf(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: "hour", roundingMode: "floor" });
}
