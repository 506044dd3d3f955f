import type { Money } from "./service.ts";
import type { Language } from "./words.ts";

export interface Format {
  points(value: number): string;
  money(value: Money, times?: number): string;
  /** The last day, in the store's time zone, on which something applies that ends at an instant. */
  lastDay(instant: string): string;
  /** Date and time in the customer's time zone. */
  time(instant: string): string;
}

/** Formats numbers, money and dates in a language; days are in the store's time zone, wherever the customer is. */
export function formatOf(language: Language, timeZone: string): Format {
  const points = new Intl.NumberFormat(language);
  const days = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone });
  const times = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  return {
    points: (value) => points.format(value),
    money: ({ amount, currency }, times = 1) =>
      new Intl.NumberFormat(language, { style: "currency", currency }).format(Number(amount) * times),
    lastDay: (instant) => days.format(msOf(instant) - 1),
    time: (instant) => times.format(msOf(instant)),
  };
}

/** Microseconds are cut off, because not every browser parses them. */
function msOf(instant: string): number {
  return Date.parse(instant.replace(/(\.\d{3})\d+/, "$1"));
}
