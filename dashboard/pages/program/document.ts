import type { ProgramDocument } from "../../../src/program/program-schema.ts";

export type TierRule = ProgramDocument["tiers"]["rules"][number];
export type Campaign = ProgramDocument["campaigns"][number];
export type Bonus = ProgramDocument["earning"]["bonus_collections"][number];
/** A change of the program, a draft or somebody's request; both documents are in the form for editing. */
export interface ProgramChange {
  readonly base: ProgramDocument;
  readonly document: ProgramDocument;
}
type Rates = Campaign["by_tier"];

/** Converts a document for editing: rates by tier are keyed by the tiers' uids, so that a tier can be renamed. */
export function editable(document: ProgramDocument): ProgramDocument {
  const uids = new Map(document.tiers.rules.map(({ name, uid }) => [name, uid]));
  const keyed = (rates: Rates): Rates =>
    Object.fromEntries(Object.entries(rates).map(([name, rate]) => [uids.get(name) ?? name, rate]));
  const campaigns = document.campaigns.map((campaign) => ({ ...campaign, by_tier: keyed(campaign.by_tier) }));
  return { ...document, campaigns };
}

/** Returns the value of a field such as `earning.rounding`. */
export function readField(document: ProgramDocument, field: string): unknown {
  const [section = "", name = ""] = field.split(".");
  const values: Readonly<Record<string, unknown>> = Object(Object(document)[section]);
  return values[name];
}

/** Returns the document with another value of one field. */
export function withField(document: ProgramDocument, field: string, value: unknown): ProgramDocument {
  const [section = "", name = ""] = field.split(".");
  const values: object = Object(Object(document)[section]);
  return { ...document, [section]: { ...values, [name]: value } };
}

/** Returns the document with other tiers; campaigns lose the rates of removed tiers. */
export function withTiers(document: ProgramDocument, rules: readonly TierRule[]): ProgramDocument {
  const uids = new Set(rules.map(({ uid }) => uid));
  const kept = (rates: Rates): Rates => Object.fromEntries(Object.entries(rates).filter(([uid]) => uids.has(uid)));
  const campaigns = document.campaigns.map((campaign) => ({ ...campaign, by_tier: kept(campaign.by_tier) }));
  return { ...document, campaigns, tiers: { ...document.tiers, rules } };
}

/** Returns a new tier with a higher requirement than all others; `bytes` are 16 random ones. */
export function newTier(rules: readonly TierRule[], name: string, bytes: Uint8Array): TierRule {
  const highest = rules.reduce((most, rule) => Math.max(most, rule.currency_spent_requirement), 0);
  return {
    uid: uuidOf(bytes),
    name,
    default: false,
    currency_spent_requirement: Math.min(Number.MAX_SAFE_INTEGER, highest === 0 ? 10_000 : highest * 2),
    point_value: null,
    currency_value: null,
  };
}

/** Returns the tiers with another default; the previous default gets the requirement of the new one. */
export function withDefault(rules: readonly TierRule[], index: number): readonly TierRule[] {
  const requirement = rules[index]?.currency_spent_requirement ?? 0;
  return rules.map((rule, at) => {
    if (at === index) return { ...rule, default: true, currency_spent_requirement: 0 };
    return rule.default ? { ...rule, default: false, currency_spent_requirement: requirement } : rule;
  });
}

function uuidOf(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}
