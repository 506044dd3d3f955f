/** Customers who began a month in one tier and ended it in another, as these are stored. */
export interface TierMove {
  readonly month: number;
  readonly from: string;
  readonly to: string;
  readonly customers: bigint;
}

export interface TierMonth {
  readonly month: number;
  /** At its end, by the place of the tier, the lowest first. */
  readonly customers: readonly bigint[];
  readonly up: bigint;
  readonly down: bigint;
  /** Of those who began the month in a tier above the default one: who ended it there, by the place of the tier. */
  readonly kept: readonly bigint[];
}

/** What the months are made of: of customers who are customers now. */
export interface TierFacts {
  /** The lowest first. */
  readonly tiers: readonly { readonly uid: string; readonly isDefault: boolean }[];
  readonly present: ReadonlyMap<string, bigint>;
  readonly moves: readonly TierMove[];
  /** Who joined in a month. */
  readonly joined: ReadonlyMap<number, bigint>;
}

interface TierPlaces {
  /** That of the default tier. */
  readonly standard: number;
  /** Who has no tier, one that is gone, or joined in the month, is in the default one. */
  readonly placeOf: (uid: string) => number;
}

/** Where tiers stand, the lowest first. */
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

/** Whether a move led to a higher tier; null: both count as the same one. */
export function directionOf(
  { from, to }: Pick<TierMove, "from" | "to">,
  { placeOf }: TierPlaces,
): "up" | "down" | null {
  const [was, is] = [placeOf(from), placeOf(to)];
  return is === was ? null : is > was ? "up" : "down";
}

/**
 * Customers by tier at the end of each month, the newest first, and who moved in it. It begins with the present and takes the moves back. Who has no
 * tier, or one that is gone, is in the default one; who joined in a month moved up in it if they ended it above that one.
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
