import type { Language } from "./language.ts";

/** The locale of each language, by which the dashboard and the explanations format numbers, money and dates. */
export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ja: "ja-JP" };

/** A day: `22 Nov 2026`, `2026/11/22`. */
export const DAY_FORM = { dateStyle: "medium" } as const;

/** A month: `November 2026`, `2026年11月`. */
export const MONTH_FORM = { year: "numeric", month: "long" } as const;

/** A time to the minute: `22 Nov 2026, 20:00`, `2026/11/22 20:00`. */
export const MINUTE_FORM = { dateStyle: "medium", timeStyle: "short" } as const;

/** A time to the second, with its zone: `22 Nov 2026, 20:00:00 GMT+9`, `2026/11/22 20:00:00 JST`. */
export const SECOND_FORM = { dateStyle: "medium", timeStyle: "long" } as const;

/** Money, with the currency's narrow symbol. */
export const MONEY_FORM = { style: "currency", currencyDisplay: "narrowSymbol" } as const;

/** Replaces the minus sign by one as wide as the plus, and the full-width yen sign by the half-width one. */
export function tidyNumber(text: string): string {
  return text.replace("-", "−").replace("￥", "¥");
}
