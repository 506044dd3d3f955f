import type { Language } from "../../../src/wire/language.ts";
import type { Format } from "../../ui/format.ts";
import { kindOf, MEMBERS, type Member } from "./members.ts";
import type { words } from "./words.ts";

export interface Telling {
  readonly t: (typeof words)["en"];
  /** Names of choices by `member.value`. */
  readonly values: Readonly<Record<string, string>>;
  readonly format: Format;
  time(at: string): string;
  readonly language: Language;
}

type Entry = Readonly<Record<string, unknown>>;

/** A value of the document as people say it; `—` for what is not there. */
export function tellValue(member: string, value: unknown, telling: Telling): string {
  if (value === undefined) return "—";
  if (isMember(member)) return tellSetting(member, value, telling);
  if (member === "campaigns" || member === "earning.bonus_collections" || member === "tiers.rules") {
    return tellEntry(value, telling);
  }
  return tellListMember(member.split(".").at(-1) ?? "", value, telling);
}

function isMember(member: string): member is Member {
  return Object.hasOwn(MEMBERS, member);
}

function tellSetting(member: Member, value: unknown, telling: Telling): string {
  const { t, format, values } = telling;
  if (value === null) return member === "expiration.delay_months" ? t.never : t.none;
  const kind = kindOf(member);
  if (kind.kind === "flag") return value === true ? t.yes : t.no;
  if (kind.kind === "tags") return Array.isArray(value) && value.length > 0 ? value.join(", ") : t.none;
  if (kind.kind === "money") return format.money(Number(value));
  if (kind.kind === "points") return t.points(format.points(Number(value)));
  if (member === "tiers.period_months") return t.everyMonths(Number(value));
  if (member === "tiers.start_month") return monthName(Number(value), telling.language);
  if (kind.kind === "choice") return values[`${member}.${value}`] ?? String(value);
  return typeof value === "number" ? format.number(value) : String(value);
}

function tellListMember(name: string, value: unknown, telling: Telling): string {
  const { t, format } = telling;
  if (name === "starts_at" || name === "ends_at") return value === null ? t.none : telling.time(String(value));
  if (name === "point_value") return value === null ? t.usualRate : t.points(format.points(Number(value)));
  if (name === "currency_value") return value === null ? t.usualRate : format.money(Number(value));
  if (name === "currency_spent_requirement") return format.money(Number(value));
  if (name === "by_tier") return tellRates(value, telling);
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return String(value);
}

/** A whole campaign, tier or bonus in a line. */
function tellEntry(value: unknown, telling: Telling): string {
  if (!isEntry(value)) return "—";
  const told = (name: string) => (Object.hasOwn(value, name) ? tellListMember(name, value[name], telling) : null);
  const [starts, ends] = [told("starts_at"), told("ends_at")];
  const time = starts === null ? [] : [`${starts} – ${ends}`];
  const requirement = told("currency_spent_requirement");
  return [...time, ...(requirement === null ? [] : [requirement]), tellRate(value, telling)].join(", ");
}

function tellRates(value: unknown, telling: Telling): string {
  const rates = isEntry(value) ? Object.entries(value) : [];
  if (rates.length === 0) return telling.t.none;
  return rates.map(([tier, rate]) => `${tier}: ${tellRate(rate, telling)}`).join("; ");
}

function tellRate(rate: unknown, { t, format }: Telling): string {
  const { point_value: points, currency_value: money } = isEntry(rate) ? rate : {};
  if (typeof points !== "number") return t.usualRate;
  const gained = t.points(format.points(points));
  return typeof money === "number" ? t.rate(gained, format.money(money)) : gained;
}

function monthName(month: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(Date.UTC(2026, month - 1, 1));
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
