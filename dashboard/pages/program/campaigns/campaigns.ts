import type { Span } from "../calendar.ts";
import type { Campaign } from "../document.ts";

export type Phase = "running" | "planned" | "over";

/** Returns a campaign's phase at an instant. */
export function phaseOf({ starts_at, ends_at }: Pick<Campaign, "starts_at" | "ends_at">, now: string): Phase {
  const at = Date.parse(now);
  if (Date.parse(ends_at) <= at) return "over";
  return Date.parse(starts_at) <= at ? "running" : "planned";
}

const PHASES: readonly Phase[] = ["running", "planned", "over"];

/** The order of a list: what runs, then what is planned, the next one first, then what is over, the latest first. */
export function compareCampaigns(
  a: Pick<Campaign, "starts_at" | "ends_at">,
  b: Pick<Campaign, "starts_at" | "ends_at">,
  now: string,
): number {
  const [phase, other] = [phaseOf(a, now), phaseOf(b, now)];
  if (phase !== other) return PHASES.indexOf(phase) - PHASES.indexOf(other);
  const byStart = Date.parse(a.starts_at) - Date.parse(b.starts_at);
  return phase === "planned" ? byStart : -byStart;
}

/** Returns the indexes of the campaigns that overlap with a campaign. */
export function overlapsOf(campaigns: readonly Campaign[], index: number): readonly number[] {
  const one = campaigns[index];
  if (one === undefined) return [];
  return campaigns.flatMap((other, at) => {
    const isBeside =
      Date.parse(other.ends_at) <= Date.parse(one.starts_at) || Date.parse(one.ends_at) <= Date.parse(other.starts_at);
    return at === index || isBeside ? [] : [at];
  });
}

/** Returns a campaign of a week that begins at `startsAt`, or at the end of the last campaign that it would overlap. */
export function newCampaign(
  campaigns: readonly Campaign[],
  name: string,
  startsAt: string,
  rates: Pick<Campaign, "point_value" | "currency_value" | "by_tier">,
): Campaign {
  const week = 7 * 86_400_000;
  let from = Date.parse(startsAt);
  for (const { starts_at, ends_at } of campaigns.toSorted(
    (a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at),
  )) {
    if (Date.parse(starts_at) < from + week && Date.parse(ends_at) > from) from = Date.parse(ends_at);
  }
  const taken = new Set(campaigns.map((campaign) => campaign.name));
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  const time = { starts_at: new Date(from).toISOString(), ends_at: new Date(from + week).toISOString() };
  return { name: free, ...time, ...rates };
}

export function spanOf({ starts_at, ends_at }: Pick<Campaign, "starts_at" | "ends_at">): Span {
  return { startsAt: starts_at, endsAt: ends_at };
}
