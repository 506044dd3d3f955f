/** The number of customers who began a month in one tier and ended it in another, with the stored tiers. */
export interface TierMove {
  readonly month: number;
  readonly from: string;
  readonly to: string;
  readonly customers: bigint;
}

export interface TierMonth {
  readonly month: number;
  /** At the end of the month, by the place of the tier, lowest first. */
  readonly customers: readonly bigint[];
  readonly up: bigint;
  readonly down: bigint;
  /** Those who began the month in a tier above the default one and did not leave it, by the place of the tier. */
  readonly kept: readonly bigint[];
}

/** The input of the months; deleted and merged customers are not in it. */
export interface TierFacts {
  /** Lowest first. */
  readonly tiers: readonly { readonly uid: string; readonly isDefault: boolean }[];
  readonly present: ReadonlyMap<string, bigint>;
  readonly moves: readonly TierMove[];
  /** The number of customers who joined, by month. */
  readonly joined: ReadonlyMap<number, bigint>;
}

interface TierPlaces {
  /** The place of the default tier. */
  readonly standard: number;
  /** The default place for a tier that no longer exists, and for customers without a tier or who joined in the month. */
  readonly placeOf: (uid: string) => number;
}

/** The places of the tiers, lowest first. */
export function tierPlaces(tiers: TierFacts["tiers"]): TierPlaces {
  const standard = Math.max(
    0,
    tiers.findIndex(({ isDefault }) => isDefault),
  );
  const placeOf = (uid: string) => {
    const place = tiers.findIndex((tier) => tier.uid === uid);
    return place === -1 ? standard : place;
  };
  return { standard, placeOf };
}

/** Whether a move led to a higher or a lower tier; null where both tiers have the same place. */
export function directionOf(
  { from, to }: Pick<TierMove, "from" | "to">,
  { placeOf }: TierPlaces,
): "up" | "down" | null {
  const [was, is] = [placeOf(from), placeOf(to)];
  return is === was ? null : is > was ? "up" : "down";
}

/**
 * Customers by tier at the end of each month, newest first, and the moves of each month. Starts from the present and undoes the moves month by
 * month. Customers without a tier, or with one that no longer exists, are in the default one. A customer who joined in a month moved up in it
 * if they ended it above the default tier.
 */
export function tierMonths({ tiers, present, moves, joined }: TierFacts, first: number, last: number): TierMonth[] {
  const { standard, placeOf } = tierPlaces(tiers);
  const customers = tiers.map(() => 0n);
  const add = (place: number, count: bigint) => {
    customers[place] = (customers[place] ?? 0n) + count;
  };
  for (const [uid, count] of present) add(placeOf(uid), count);
  const byMonth = Map.groupBy(moves, ({ month }) => Math.min(month, last));
  const months: TierMonth[] = [];
  for (let month = last; month >= first; month--) {
    const atEnd = [...customers];
    let [up, down] = [0n, 0n];
    const left = tiers.map(() => 0n);
    add(standard, -(joined.get(month) ?? 0n));
    for (const { from, to, customers: count } of byMonth.get(month) ?? []) {
      const [was, is] = [placeOf(from), placeOf(to)];
      add(is, -count);
      add(was, count);
      if (is > was) up += count;
      if (is < was) down += count;
      if (is !== was) left[was] = (left[was] ?? 0n) + count;
    }
    const kept = customers.map((began, place) => (place === standard ? 0n : began - (left[place] ?? 0n)));
    months.push({ month, customers: atEnd, up, down, kept });
  }
  return months;
}
