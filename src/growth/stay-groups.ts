import { JOINED } from "./growth-share.ts";
import { GOES_ON, type StayGroup } from "./stay-queries.ts";
import { type TierFacts, tierPlaces } from "./tier-months.ts";

export interface StayFigure {
  readonly month: number;
  /** The store's present month. */
  readonly lastMonth: number;
  /** `kept`: who began and ended the month in the same tier above the default one. The other: all who ended the month in a tier. */
  readonly figure: "members" | "kept";
  /** The place of a tier; null for all. */
  readonly place: number | null;
}

/**
 * Finds the customers of a figure of `tierMonths`: the stays in its tiers that continue, and those that ended after the month. Of these only
 * the stays that began in `sinceMax` or before count. The groups are sorted by their keys.
 */
export function stayGroups(
  { tiers, present, moves }: Pick<TierFacts, "tiers" | "present" | "moves">,
  { month, lastMonth, figure, place }: StayFigure,
): { readonly groups: readonly StayGroup[]; readonly sinceMax: number } {
  const { standard, placeOf } = tierPlaces(tiers);
  const isAsked = (uid: string) => {
    const own = placeOf(uid);
    return (place ?? own) === own && (figure === "members" || own !== standard);
  };
  const goOn = [...present.keys()].filter(isAsked).map((tierUid) => ({ tierUid, until: GOES_ON }));
  const ended = moves
    .filter(({ from, month: until }) => until > month && month < lastMonth && from !== JOINED && isAsked(from))
    .map(({ from, month: until }): StayGroup => ({ tierUid: from, until }));
  const groups = new Map([...goOn, ...ended].map((group) => [stayGroupKey(group), group]));
  const keys = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const lastSince = figure === "kept" ? month - 1 : month;
  const sinceMax = figure === "members" && month >= lastMonth ? GOES_ON : lastSince;
  return { groups: keys.map(([, group]) => group), sinceMax };
}

/** Sorts correctly as text, because months will have five digits for thousands of years. */
export function stayGroupKey({ tierUid, until }: StayGroup): string {
  return `${tierUid} ${until}`;
}
