import type { Format } from "../../ui/values/format.ts";
import { kindOf, SETTINGS, type Setting } from "./settings.ts";
import type { words } from "./words.ts";

export interface Formatting {
  readonly t: (typeof words)["en"];
  /** Names of choices by `field.value`. */
  readonly values: Readonly<Record<string, string>>;
  readonly format: Format;
  /** The names of the tiers, in their order. */
  readonly tiers: readonly string[];
  time(at: string): string;
}

type Entry = Readonly<Record<string, unknown>>;

/** Formats a value of the document for people; `—` for a missing one. */
export function formatValue(field: string, value: unknown, formatting: Formatting): string {
  if (value === undefined) return "—";
  if (isSetting(field)) return formatSetting(field, value, formatting);
  if (field === "campaigns" || field === "earning.bonus_collections" || field === "tiers.rules") {
    return formatEntry(value, formatting);
  }
  return formatListField(field.split(".").at(-1) ?? "", value, formatting);
}

function isSetting(field: string): field is Setting {
  return Object.hasOwn(SETTINGS, field);
}

function formatSetting(field: Setting, value: unknown, formatting: Formatting): string {
  const { t, format, values } = formatting;
  if (value === null) return field === "expiration.delay_months" ? t.never : t.none;
  const kind = kindOf(field);
  if (kind.kind === "flag") return value === true ? t.yes : t.no;
  if (kind.kind === "tags") return Array.isArray(value) && value.length > 0 ? value.join(", ") : t.none;
  if (kind.kind === "money") return format.money(Number(value));
  if (kind.kind === "points") return t.points(format.points(Number(value)));
  if (field === "tiers.period_months") return t.everyMonths(Number(value));
  if (field === "tiers.start_month") return format.monthName(Number(value));
  if (kind.kind === "choice") return values[`${field}.${value}`] ?? String(value);
  return typeof value === "number" ? format.number(value) : String(value);
}

function formatListField(name: string, value: unknown, formatting: Formatting): string {
  const { t, format } = formatting;
  if (name === "name" && value === null) return t.none;
  if (name === "starts_at" || name === "ends_at") return value === null ? t.none : formatting.time(String(value));
  if (name === "point_value") return value === null ? t.usualRate : t.points(format.points(Number(value)));
  if (name === "currency_value") return value === null ? t.usualRate : format.money(Number(value));
  if (name === "currency_spent_requirement") return format.money(Number(value));
  if (name === "by_tier") return formatRates(value, formatting);
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return String(value);
}

/** A complete campaign, tier or bonus in one line. */
function formatEntry(value: unknown, formatting: Formatting): string {
  if (!isEntry(value)) return "—";
  const fieldText = (name: string) =>
    Object.hasOwn(value, name) ? formatListField(name, value[name], formatting) : null;
  const time = Object.hasOwn(value, "starts_at") ? [formatPeriod(value, formatting)] : [];
  const requirement = fieldText("currency_spent_requirement");
  const rate = [formatRate(value, formatting), ...tierRates(value["by_tier"], formatting)].join("; ");
  return [...time, ...(requirement === null ? [] : [requirement]), rate].join(", ");
}

/** The period of a campaign or bonus, of which a bonus may lack the start, the end or both. */
function formatPeriod({ starts_at: start, ends_at: end }: Entry, { t, time }: Formatting): string {
  const [from, until] = [start, end].map((at) => (typeof at === "string" ? time(at) : null));
  if (from != null && until != null) return `${from} – ${until}`;
  if (from != null) return t.fromTime(from);
  return until == null ? t.always : t.untilTime(until);
}

function formatRates(value: unknown, formatting: Formatting): string {
  return tierRates(value, formatting).join("; ") || formatting.t.none;
}

function tierRates(value: unknown, formatting: Formatting): readonly string[] {
  if (!isEntry(value)) return [];
  const { tiers } = formatting;
  const placeOf = (tier: string) => (tiers.includes(tier) ? tiers.indexOf(tier) : tiers.length);
  return Object.entries(value)
    .sort(([one], [other]) => placeOf(one) - placeOf(other)) // the database keeps no order of fields
    .map(([tier, rate]) => `${tier}: ${formatRate(rate, formatting)}`);
}

/** A rate of which the points, the amount or both may be those of Earning. */
function formatRate(rate: unknown, { t, format }: Formatting): string {
  const { point_value: points, currency_value: money } = isEntry(rate) ? rate : {};
  if (typeof points !== "number" && typeof money !== "number") return t.usualRate;
  const gained = typeof points === "number" ? t.points(format.points(points)) : t.usualPoints;
  return typeof money === "number" ? t.rate(gained, format.money(money)) : t.rateOfUsual(gained);
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
