import type { Campaign, TierRule } from "../document.ts";

/** A number of points for an amount of money in minor units. */
export interface Rate {
  readonly point_value: number;
  readonly currency_value: number;
}

/** The parts of the document that determine rates. */
export interface RatedDocument {
  readonly earning: Rate;
  readonly tiers: { readonly rules: readonly TierRule[] };
}

type CampaignRate = Pick<Campaign, "point_value" | "currency_value" | "by_tier">;

/** Factors have at most two decimals. */
const PARTS = 100;

/** A tier that earns less in a campaign than without it. */
export interface Loss {
  readonly name: string;
  readonly usual: Rate;
  readonly inCampaign: Rate;
}

/** Returns a tier's rate outside of campaigns. */
export function usualRate({ earning }: RatedDocument, rule: TierRule): Rate {
  return {
    point_value: rule.point_value ?? earning.point_value,
    currency_value: rule.currency_value ?? earning.currency_value,
  };
}

/** Returns a tier's rate in a campaign. */
function rateInCampaign({ earning }: RatedDocument, campaign: CampaignRate, rule: TierRule): Rate {
  const { point_value, currency_value } = campaign.by_tier[rule.uid] ?? campaign;
  return { point_value, currency_value: currency_value ?? earning.currency_value };
}

/** Returns a rate times a factor with at most two decimals, exactly and in lowest terms above the rate's amount: 3 per 100 x 1.5 is 9 per 200. */
function times({ point_value, currency_value }: Rate, factor: number): Rate {
  const points = point_value * Math.round(factor * PARTS);
  const shared = commonDivisor(points, PARTS);
  return { point_value: points / shared, currency_value: currency_value * (PARTS / shared) };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** Returns the rates of a campaign in which every tier earns its own rate times a factor; customers without a tier earn the store's. */
export function multipliedRates(document: RatedDocument, factor: number): CampaignRate {
  const all = times(document.earning, factor);
  const own = document.tiers.rules.map((rule) => [rule.uid, times(usualRate(document, rule), factor)] as const);
  return { ...all, by_tier: Object.fromEntries(own) };
}

/** Returns the factor by which a campaign multiplies every tier's rate; null: its rates are different. */
export function factorOf(document: RatedDocument, campaign: CampaignRate): number | null {
  const { earning, tiers } = document;
  const all = { point_value: campaign.point_value, currency_value: campaign.currency_value ?? earning.currency_value };
  const pairs = [
    { usual: earning, inCampaign: all },
    ...tiers.rules.map((rule) => ({
      usual: usualRate(document, rule),
      inCampaign: rateInCampaign(document, campaign, rule),
    })),
  ];
  const first = pairs.find(({ usual }) => usual.point_value > 0);
  if (first === undefined) return null;
  const factor = Math.round((perMoney(first.inCampaign) / perMoney(first.usual)) * PARTS) / PARTS;
  const isOfAll = pairs.every(({ usual, inCampaign }) => compare(times(usual, factor), inCampaign) === 0);
  return isOfAll && factor > 0 ? factor : null;
}

/** Returns the tiers that earn less in a campaign than without it, in the document's order. */
export function lossesOf(document: RatedDocument, campaign: CampaignRate): readonly Loss[] {
  return document.tiers.rules.flatMap((rule) => {
    const [usual, inCampaign] = [usualRate(document, rule), rateInCampaign(document, campaign, rule)];
    return compare(inCampaign, usual) < 0 ? [{ name: rule.name, usual, inCampaign }] : [];
  });
}

function perMoney({ point_value, currency_value }: Rate): number {
  return point_value / currency_value;
}

/** Negative if a gives less than b, exactly. */
function compare(a: Rate, b: Rate): number {
  const [left, right] = [
    BigInt(a.point_value) * BigInt(b.currency_value),
    BigInt(b.point_value) * BigInt(a.currency_value),
  ];
  return left < right ? -1 : Number(left > right);
}
